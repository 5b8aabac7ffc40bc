// Puzzles by name, patterns, rules and goals; boards to begin with, each with its label. Made from
// Python by `python -m tools.page_puzzles`; a test compares. `GET /api/start` has puzzles too.

export const PUZZLES = [
  {"key": "rows-and-columns", "title": "Rows and columns", "pattern": "cross", "rule": "unlit", "goal": "lit", "sizes": [4, 6, 6, 8], "also": ["ibm-2023-04"], "words": "Press an unlit bulb: it and its whole row and column change. Light them all."},
  {"key": "in-order", "title": "In order", "pattern": "plus", "rule": "unlit", "goal": "lit", "sizes": [4, 5, 6, 7], "also": [], "words": "Press an unlit bulb: it and the bulbs above, below, left and right change. Light them all."},
  {"key": "lights-out", "title": "Lights Out", "pattern": "plus", "rule": "any", "goal": "unlit", "sizes": [4, 5, 6, 7], "also": [], "words": "Press any bulb: it and the bulbs above, below, left and right change. Put them all out."},
  {"key": "kings-move", "title": "King's move", "pattern": "king", "rule": "unlit", "goal": "lit", "sizes": [4, 6, 6, 7], "also": ["king"], "words": "Press an unlit bulb: it and the bulbs around it change. Light them all."},
  {"key": "round-the-world", "title": "Round the world", "pattern": "torus-plus", "rule": "unlit", "goal": "lit", "sizes": [4, 4, 7, 7], "also": ["torus"], "words": "Press an unlit bulb: it and its four neighbours change, across the edges too. Light them all."},
  {"key": "your-own", "title": "Your own"},
];
export const WORDS = {
  "pressed": {"unlit": "an unlit bulb", "lit": "a lit bulb", "any": "any bulb"},
  "changed": {"cross": "it and its whole row and column change", "plus": "it and the bulbs above, below, left and right change", "king": "it and the bulbs around it change", "torus-plus": "it and its four neighbours change, across the edges too", "torus-king": "it and the eight bulbs around it change, across the edges too", "stencil": "it and the bulbs of the stencil change", "graph": "it and the bulbs that wires join to it change"},
  "wanted": {"lit": "Light them all.", "unlit": "Put them all out.", "grid": "Make the picture."},
  "wired": {"any": "Press a button: the bulbs to which its wires lead change.", "unlit": "Press a button while its dotted line leads to an unlit bulb: its wires change bulbs.", "lit": "Press a button while its dotted line leads to a lit bulb: its wires change bulbs."},
};
export const UNWINNABLE = [
  {"rule": "unlit", "goal": "unlit", "sentence": "Nobody can win this: an unlit bulb is lit once it is pressed, so the last press leaves a bulb lit, and all must end unlit. With the goal all lit it can be won.", "nearest": "lit"},
  {"rule": "lit", "goal": "lit", "sentence": "Nobody can win this: a lit bulb is unlit once it is pressed, so the last press leaves a bulb unlit, and all must end lit. With the goal all unlit it can be won.", "nearest": "unlit"},
];
export const PATTERNS = {
  "cross": null,
  "plus": {"offsets": [[-1, 0], [0, -1], [0, 1], [1, 0]], "wraps": false},
  "king": {"offsets": [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]], "wraps": false},
  "torus-plus": {"offsets": [[-1, 0], [0, -1], [0, 1], [1, 0]], "wraps": true},
  "torus-king": {"offsets": [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]], "wraps": true},
  "stencil": null,
};
export const RULES = ["unlit", "lit", "any"];
export const GOALS = ["lit", "unlit", "grid"];
export const GRADES = ["easy", "medium", "hard", "expert"];
export const WEEK = ["easy", "easy", "medium", "medium", "hard", "hard", "expert"];
export const FIRST = [
  ["rows-and-columns.easy.0", "pattern: cross\nrule: unlit\ngoal: lit\n0111\n1001\n1110\n0111\n"],
  ["rows-and-columns.easy.1", "pattern: cross\nrule: unlit\ngoal: lit\n0110\n0001\n1010\n1100\n"],
  ["rows-and-columns.easy.2", "pattern: cross\nrule: unlit\ngoal: lit\n1011\n1101\n1011\n0110\n"],
  ["rows-and-columns.easy.3", "pattern: cross\nrule: unlit\ngoal: lit\n1001\n0100\n1010\n0011\n"],
  ["rows-and-columns.easy.4", "pattern: cross\nrule: unlit\ngoal: lit\n0101\n1000\n0011\n0110\n"],
  ["rows-and-columns.easy.5", "pattern: cross\nrule: unlit\ngoal: lit\n1110\n1110\n1101\n0011\n"],
  ["rows-and-columns.easy.6", "pattern: cross\nrule: unlit\ngoal: lit\n0101\n0010\n1001\n1100\n"],
  ["rows-and-columns.easy.7", "pattern: cross\nrule: unlit\ngoal: lit\n1100\n1010\n0100\n0111\n"],
  ["rows-and-columns.easy.8", "pattern: cross\nrule: unlit\ngoal: lit\n0110\n1010\n1100\n0001\n"],
  ["rows-and-columns.easy.9", "pattern: cross\nrule: unlit\ngoal: lit\n1110\n1110\n1001\n0111\n"],
];

// Return why no board of a rule and a goal can be won, `{ sentence, nearest }`, where `nearest` is
// the goal under which the rule can be won; undefined where some can.
export function unwinnable(rule, goal) {
  return UNWINNABLE.find((one) => one.rule === rule && one.goal === goal);
}

// Return what to do, in a line; `goal` is "lit", "unlit" or "grid".
export function ruleInWords(pattern, rule, goal) {
  const { wired, wanted } = WORDS;
  if (pattern === "wiring") return `${wired[rule]} ${wanted[goal]}`;
  const change = WORDS.changed[pattern] ?? "the bulbs that the pattern names change";
  return `Press ${WORDS.pressed[rule]}: ${change}. ${wanted[goal]}`;
}
