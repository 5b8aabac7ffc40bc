// The words of the path: its chapters, and of each level of `levels.js` the idea, and what is said
// once it is done.

export const CHAPTERS = [
  "Light a bulb", "The order matters", "Rows and columns",
  "Which bulbs, by chasing", "Pairs, first and last", "Cuts, and your own",
];

export const LESSONS = [
  { idea: "Press the dark bulb in the middle. It changes, and so do the bulbs above, below, left and right.", after: "One press changes a plus of bulbs." },
  { idea: "Each press changes a plus; at the edge a part of it is missing. Find the two pluses that are dark.", after: "These two pluses do not meet. So you may begin with either." },
  { idea: "Almost one dark plus, but its middle is lit, and a lit bulb cannot be pressed. Look for other pluses.", after: "Four pluses meet in the middle. A bulb that changes an even number of times stays as it was." },
  { idea: "Three bulbs in a row need a press, and two of them are lit. A press beside a lit bulb makes it dark.", after: "The middle one had to be first: it made the other two dark." },
  { idea: "Five bulbs need a press, and only one of them is dark now. Find it; it makes the next ones dark.", after: "An order grows from the one bulb that can be first." },
  { idea: "Five presses again. Must one of the dark bulbs be first?", after: "No, any of the five can be: none of them changes another, so every order works." },
  { idea: "Now a press changes its whole row and column. Count the dark bulbs in both, its own bulb once: if the number is odd, the bulb must be pressed.", after: "Each dark bulb was alone in its row and column, and one is odd." },
  { idea: "Count again for each bulb: not every dark bulb has to be pressed.", after: "On a board with even sides, this count always says which bulbs." },
  { idea: "This board has three rows, an odd number. Here the count does not say which bulbs, and yet three presses do it. Only one of the three bulbs is dark now.", after: "With an odd side there are several ways to choose the presses, and some of them have an order." },
  { idea: "Dots show what must be pressed. Every order needs as many rows as columns with an odd number of dots. Here they differ: say Impossible, tick those lines, then Check.", after: "Three columns against one row. That rules out every order at once." },
  { idea: "The same count on a larger board: how many rows have an odd number of dots, and how many columns?", after: "You tried no order, and yet you know about all of them." },
  { idea: "Three rows have an odd number of dots. Is that too many?", after: "Three columns have one too, so the count proves nothing. And there is an order." },
  { idea: "Here any bulb may be pressed. Leave the first row alone: only the row below can still change it, so press under each dark bulb. Go on row by row.", after: "This is chasing: each row decides the next." },
  { idea: "Chase from an untouched first row, and the last row stays wrong. Start again, press something in the first row, then chase.", after: "The first row decides all others, so only eight beginnings had to be tried." },
  { idea: "Four bulbs in the first row: sixteen beginnings. Which of them is right?", after: "All sixteen. On this board you can press what you like in the first row, and chasing comes out right." },
  { idea: "Look at columns 1, 3 and 5. Each press changes two of these six bulbs, and three of them are lit. If they can never all be lit, say Impossible and mark all six.", after: "Three is odd, six is even, and no press changes which it is." },
  { idea: "Find a group of bulbs of which every press changes an even number, while an odd number of them is dark.", after: "Whatever is pressed, an odd number of these bulbs stays dark." },
  { idea: "On five by five, too, there are boards that nobody can light. Is this one of them?", after: "No: every such group holds an even number of dark bulbs here, and four presses do it." },
  { idea: "Two dots that change each other are a pair. Every order needs an even number of pairs in a group. Here is a group with one pair: say Impossible, mark both dots, then Check.", after: "Both are lit, so neither can be first. And a first one would end dark: the other changes it once more." },
  { idea: "Now the group has five dots. Count its pairs.", after: "Five pairs are odd. In every order, some bulb of the group would end dark." },
  { idea: "Four dots in a square. Count the pairs before you decide.", after: "Four pairs are even. That proves nothing, and here there is an order." },
  { idea: "A press changes all bulbs around it now. The four dots have six pairs, an even number. But which of them can be pressed first?", after: "None: all four are lit, and nothing else is pressed that could make one dark." },
  { idea: "Here bulbs with a dashed ring must end lit, and the four dots dark. Which of the four can be pressed last?", after: "None: a bulb is lit when it is pressed, and the last of the four would stay lit." },
  { idea: "Five dots, and four of them are lit. Is there a first press?", after: "The middle one is dark. Once it is pressed, the others are dark too." },
  { idea: "In each line, half of the dots, rounded down, are pressed early. Row 4 needs one early press, but its two columns have one dot each, and room for none. Tick these three lines.", after: "What a line needs must fit into the lines across it. Here it does not." },
  { idea: "As many odd rows as odd columns. Find a line that needs an early press, and lines across it with room for none.", after: "That is a cut: too much is needed on one side, and too little fits on the other." },
  { idea: "Is there a line here that finds no room for its early presses?", after: "No: all early presses find room at once. Then there is always an order." },
  { idea: "A board of another shape. Only one bulb is dark: what do the pairs say?", after: "Three pairs: odd. Holes change the board, and the argument stays." },
  { idea: "The goal is a picture: bulbs with a dashed ring must end lit, all others dark. Four presses make it.", after: "Any goal will do. What counts is which bulbs have to change." },
  { idea: "A press changes the bulbs that a knight's move leads to. Are two dots that touch a pair here?", after: "Bulbs that touch are no pairs here. The knight's moves make four pairs: even, and there is an order." },
];
