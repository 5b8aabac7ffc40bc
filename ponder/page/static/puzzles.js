// Puzzles by name, patterns, rules and goals; boards to begin with, each with its label. Made from
// Python by `python -m tools.page_puzzles`; a test compares. `GET /api/start` has puzzles too.

export const PUZZLES = [
  {"key": "rows-and-columns", "title": "Rows and columns", "pattern": "cross", "rule": "unlit", "goal": "lit", "sizes": [4, 6, 6, 8], "also": ["ibm-2023-04"], "words": "Press an unlit bulb: it and its whole row and column change. Light them all."},
  {"key": "in-order", "title": "In order", "pattern": "plus", "rule": "unlit", "goal": "lit", "sizes": [4, 5, 6, 7], "also": [], "words": "Press an unlit bulb: it and the bulbs above, below, left and right change. Light them all."},
  {"key": "lights-out", "title": "Lights Out", "pattern": "plus", "rule": "any", "goal": "unlit", "sizes": [4, 5, 6, 7], "also": [], "words": "Press any bulb: it and the bulbs above, below, left and right change. Put them all out."},
  {"key": "kings-move", "title": "King's move", "pattern": "king", "rule": "unlit", "goal": "lit", "sizes": [4, 6, 6, 7], "also": ["king"], "words": "Press an unlit bulb: it and the bulbs around it change. Light them all."},
  {"key": "round-the-world", "title": "Round the world", "pattern": "torus-plus", "rule": "unlit", "goal": "lit", "sizes": [4, 4, 7, 7], "also": ["torus"], "words": "Press an unlit bulb: it and its four neighbours change, across the edges too. Light them all."},
  {"key": "cards", "title": "Cards", "pattern": "plus", "rule": "lit", "goal": "pressed", "sizes": [6, 8, 10, 12], "also": [], "words": "Press a lit bulb: it and the bulbs above, below, left and right change. Press each once: then it is gone."},
  {"key": "your-own", "title": "Your own"},
];
export const WORDS = {
  "pressed": {"unlit": "an unlit bulb", "lit": "a lit bulb", "any": "any bulb"},
  "changed": {"cross": "it and its whole row and column change", "plus": "it and the bulbs above, below, left and right change", "king": "it and the bulbs around it change", "torus-plus": "it and its four neighbours change, across the edges too", "torus-king": "it and the eight bulbs around it change, across the edges too", "stencil": "it and the bulbs of the stencil change", "graph": "it and the bulbs that wires join to it change"},
  "wanted": {"lit": "Light them all.", "unlit": "Put them all out.", "grid": "Make the picture.", "pressed": "Press each once: then it is gone."},
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
export const GOALS = ["lit", "unlit", "pressed", "grid"];
export const GRADES = ["easy", "medium", "hard", "expert"];
export const WEEK = ["easy", "easy", "medium", "medium", "hard", "hard", "expert"];
export const SIDES = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
export const SHAPES = {
  "hexagon": "{\"nodes\": 19, \"edges\": [[0, 1], [0, 3], [0, 4], [1, 2], [1, 4], [1, 5], [2, 5], [2, 6], [3, 4], [3, 7], [3, 8], [4, 5], [4, 8], [4, 9], [5, 6], [5, 9], [5, 10], [6, 10], [6, 11], [7, 8], [7, 12], [8, 9], [8, 12], [8, 13], [9, 10], [9, 13], [9, 14], [10, 11], [10, 14], [10, 15], [11, 15], [12, 13], [12, 16], [13, 14], [13, 16], [13, 17], [14, 15], [14, 17], [14, 18], [15, 18], [16, 17], [17, 18]], \"lit\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], \"rule\": \"unlit\", \"goal\": \"lit\", \"positions\": [[64, 17], [128, 17], [191, 17], [32, 72], [96, 72], [159, 72], [223, 72], [0, 128], [64, 128], [128, 128], [191, 128], [255, 128], [32, 183], [96, 183], [159, 183], [223, 183], [64, 238], [128, 238], [191, 238]]}\n",
  "cube": "{\"nodes\": [\"U1\", \"U2\", \"U3\", \"U4\", \"R1\", \"R2\", \"R3\", \"R4\", \"F1\", \"F2\", \"F3\", \"F4\", \"D1\", \"D2\", \"D3\", \"D4\", \"L1\", \"L2\", \"L3\", \"L4\", \"B1\", \"B2\", \"B3\", \"B4\"], \"edges\": [[\"U1\", \"U2\"], [\"U1\", \"U3\"], [\"U1\", \"L1\"], [\"U1\", \"B2\"], [\"U2\", \"U4\"], [\"U2\", \"R2\"], [\"U2\", \"B1\"], [\"U3\", \"U4\"], [\"U3\", \"F1\"], [\"U3\", \"L2\"], [\"U4\", \"R1\"], [\"U4\", \"F2\"], [\"R1\", \"R2\"], [\"R1\", \"R3\"], [\"R1\", \"F2\"], [\"R2\", \"R4\"], [\"R2\", \"B1\"], [\"R3\", \"R4\"], [\"R3\", \"F4\"], [\"R3\", \"D2\"], [\"R4\", \"D4\"], [\"R4\", \"B3\"], [\"F1\", \"F2\"], [\"F1\", \"F3\"], [\"F1\", \"L2\"], [\"F2\", \"F4\"], [\"F3\", \"F4\"], [\"F3\", \"D1\"], [\"F3\", \"L4\"], [\"F4\", \"D2\"], [\"D1\", \"D2\"], [\"D1\", \"D3\"], [\"D1\", \"L4\"], [\"D2\", \"D4\"], [\"D3\", \"D4\"], [\"D3\", \"L3\"], [\"D3\", \"B4\"], [\"D4\", \"B3\"], [\"L1\", \"L2\"], [\"L1\", \"L3\"], [\"L1\", \"B2\"], [\"L2\", \"L4\"], [\"L3\", \"L4\"], [\"L3\", \"B4\"], [\"B1\", \"B2\"], [\"B1\", \"B3\"], [\"B2\", \"B4\"], [\"B3\", \"B4\"]], \"lit\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], \"rule\": \"unlit\", \"goal\": \"lit\", \"positions\": [[74, 37], [107, 37], [74, 70], [107, 70], [148, 111], [181, 111], [148, 144], [181, 144], [74, 111], [107, 111], [74, 144], [107, 144], [74, 185], [107, 185], [74, 218], [107, 218], [0, 111], [33, 111], [0, 144], [33, 144], [222, 111], [255, 111], [222, 144], [255, 144]]}\n",
  "petersen": "{\"nodes\": 10, \"edges\": [[0, 1], [0, 4], [0, 5], [1, 2], [1, 6], [2, 3], [2, 7], [3, 4], [3, 8], [4, 9], [5, 7], [5, 8], [6, 8], [6, 9], [7, 9]], \"lit\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], \"rule\": \"unlit\", \"goal\": \"lit\", \"positions\": [[128, 6], [255, 99], [206, 249], [49, 249], [0, 99], [128, 79], [186, 121], [164, 190], [91, 190], [69, 121]]}\n",
  "dodecahedron": "{\"nodes\": 20, \"edges\": [[0, 1], [0, 9], [0, 10], [1, 2], [1, 11], [2, 3], [2, 12], [3, 4], [3, 13], [4, 5], [4, 14], [5, 6], [5, 15], [6, 7], [6, 16], [7, 8], [7, 17], [8, 9], [8, 18], [9, 19], [10, 12], [10, 18], [11, 13], [11, 19], [12, 14], [13, 15], [14, 16], [15, 17], [16, 18], [17, 19]], \"lit\": [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], \"rule\": \"unlit\", \"goal\": \"lit\", \"positions\": [[128, 0], [202, 24], [249, 88], [249, 167], [202, 231], [128, 255], [53, 231], [6, 167], [6, 88], [53, 24], [128, 49], [174, 64], [202, 103], [202, 152], [174, 191], [128, 206], [81, 191], [53, 152], [53, 103], [81, 64]]}\n",
  "torus": "pattern: torus-plus\nrule: unlit\ngoal: lit\n00000\n00000\n00000\n00000\n00000\n",
};
export const FIRST = [
  ["rows-and-columns.easy.0", "pattern: cross\nrule: unlit\ngoal: lit\n0110\n1000\n1111\n1000\n"],
  ["rows-and-columns.easy.1", "pattern: cross\nrule: unlit\ngoal: lit\n0110\n0001\n1010\n1100\n"],
  ["rows-and-columns.easy.2", "pattern: cross\nrule: unlit\ngoal: lit\n0100\n1100\n1010\n0111\n"],
  ["rows-and-columns.easy.3", "pattern: cross\nrule: unlit\ngoal: lit\n1001\n0100\n1010\n0011\n"],
  ["rows-and-columns.easy.4", "pattern: cross\nrule: unlit\ngoal: lit\n0100\n1001\n0010\n1001\n"],
  ["rows-and-columns.easy.5", "pattern: cross\nrule: unlit\ngoal: lit\n1110\n1110\n1101\n0011\n"],
  ["rows-and-columns.easy.6", "pattern: cross\nrule: unlit\ngoal: lit\n1010\n1010\n0001\n0100\n"],
  ["rows-and-columns.easy.7", "pattern: cross\nrule: unlit\ngoal: lit\n0011\n0010\n1100\n1111\n"],
  ["rows-and-columns.easy.8", "pattern: cross\nrule: unlit\ngoal: lit\n0010\n0101\n1000\n0101\n"],
  ["rows-and-columns.easy.9", "pattern: cross\nrule: unlit\ngoal: lit\n1110\n1110\n1001\n0111\n"],
];

// Return why no board of a rule and a goal can be won, `{ sentence, nearest }`, where `nearest` is
// the goal under which the rule can be won; undefined where some can.
export function unwinnable(rule, goal) {
  return UNWINNABLE.find((one) => one.rule === rule && one.goal === goal);
}

// Return what to do, in a line; `goal` is one of GOALS.
export function ruleInWords(pattern, rule, goal) {
  const { wired, wanted } = WORDS;
  if (pattern === "wiring") return `${wired[rule]} ${wanted[goal]}`;
  const change = WORDS.changed[pattern] ?? "the bulbs that the pattern names change";
  return `Press ${WORDS.pressed[rule]}: ${change}. ${wanted[goal]}`;
}
