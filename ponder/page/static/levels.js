// The boards of the path, level by level: in which chapter, what is asked (`light`, or `riddle`:
// possible or not), what is so (`presses`: it can be done, with so many; `reason`: it cannot, and
// what is to be marked says why), and whether the dots are shown. A test has the engine judge each.
// Their words are in `lessons.js`.

export const LEVELS = [
  {"chapter": 1, "asks": "light", "presses": 1, "board": "pattern: plus\nrule: unlit\ngoal: lit\n101\n000\n101\n"},
  {"chapter": 1, "asks": "light", "presses": 2, "board": "pattern: plus\nrule: unlit\ngoal: lit\n10111\n00010\n10100\n11110\n"},
  {"chapter": 1, "asks": "light", "presses": 4, "board": "pattern: plus\nrule: unlit\ngoal: lit\n101\n010\n101\n"},
  {"chapter": 2, "asks": "light", "presses": 3, "board": "pattern: plus\nrule: unlit\ngoal: lit\n000\n101\n000\n"},
  {"chapter": 2, "asks": "light", "presses": 5, "board": "pattern: plus\nrule: unlit\ngoal: lit\n0110\n0101\n0110\n"},
  {"chapter": 2, "asks": "light", "presses": 5, "board": "pattern: plus\nrule: unlit\ngoal: lit\n1011\n0101\n1000\n"},
  {"chapter": 3, "asks": "light", "presses": 4, "board": "pattern: cross\nrule: unlit\ngoal: lit\n0111\n1011\n1101\n1110\n"},
  {"chapter": 3, "asks": "light", "presses": 3, "board": "pattern: cross\nrule: unlit\ngoal: lit\n0101\n1001\n1100\n0010\n"},
  {"chapter": 3, "asks": "light", "presses": 3, "board": "pattern: cross\nrule: unlit\ngoal: lit\n1101\n0111\n1010\n"},
  {"chapter": 3, "asks": "riddle", "dots": true, "reason": "count", "board": "pattern: cross\nrule: unlit\ngoal: lit\n111010\n000111\n010101\n111101\n"},
  {"chapter": 3, "asks": "riddle", "dots": true, "reason": "count", "board": "pattern: cross\nrule: unlit\ngoal: lit\n010010\n011111\n000000\n000000\n110111\n000101\n"},
  {"chapter": 3, "asks": "riddle", "dots": true, "presses": 5, "board": "pattern: cross\nrule: unlit\ngoal: lit\n0011\n1111\n0010\n0110\n"},
  {"chapter": 4, "asks": "light", "presses": 3, "board": "pattern: plus\nrule: any\ngoal: lit\n1011\n1011\n0000\n"},
  {"chapter": 4, "asks": "light", "presses": 3, "board": "pattern: plus\nrule: any\ngoal: lit\n100\n010\n000\n"},
  {"chapter": 4, "asks": "light", "presses": 4, "board": "pattern: plus\nrule: any\ngoal: lit\n1001\n1110\n0100\n0100\n"},
  {"chapter": 4, "asks": "riddle", "reason": "witness", "board": "pattern: plus\nrule: any\ngoal: lit\n10110\n11000\n"},
  {"chapter": 4, "asks": "riddle", "reason": "witness", "board": "pattern: plus\nrule: any\ngoal: lit\n1010011\n0100101\n"},
  {"chapter": 4, "asks": "riddle", "presses": 4, "board": "pattern: plus\nrule: any\ngoal: lit\n10101\n00100\n11111\n00100\n10101\n"},
  {"chapter": 5, "asks": "riddle", "dots": true, "reason": "parity", "board": "pattern: plus\nrule: unlit\ngoal: lit\n1001\n0110\n1001\n"},
  {"chapter": 5, "asks": "riddle", "dots": true, "reason": "parity", "board": "pattern: plus\nrule: unlit\ngoal: lit\n0111\n0100\n0000\n"},
  {"chapter": 5, "asks": "riddle", "dots": true, "presses": 4, "board": "pattern: plus\nrule: unlit\ngoal: lit\n10011\n00001\n00001\n10011\n"},
  {"chapter": 5, "asks": "riddle", "dots": true, "reason": "first", "board": "pattern: king\nrule: unlit\ngoal: lit\n0110\n1111\n1111\n0110\n"},
  {"chapter": 5, "asks": "riddle", "dots": true, "reason": "last", "board": "pattern: king\nrule: unlit\n0110\n1001\n1001\n0110\ngoal:\n1111\n1001\n1001\n1111\n"},
  {"chapter": 5, "asks": "riddle", "dots": true, "presses": 5, "board": "pattern: king\nrule: unlit\ngoal: lit\n1010\n0001\n1010\n0100\n"},
  {"chapter": 6, "asks": "riddle", "dots": true, "reason": "cut", "board": "pattern: cross\nrule: unlit\ngoal: lit\n011010\n100111\n100111\n111111\n100111\n011010\n"},
  {"chapter": 6, "asks": "riddle", "dots": true, "reason": "cut", "board": "pattern: cross\nrule: unlit\ngoal: lit\n001111\n011010\n011101\n111110\n110010\n111110\n"},
  {"chapter": 6, "asks": "riddle", "dots": true, "presses": 7, "board": "pattern: cross\nrule: unlit\ngoal: lit\n101100\n001001\n110100\n101011\n000100\n001010\n"},
  {"chapter": 6, "asks": "riddle", "dots": true, "reason": "parity", "board": "pattern: plus\nrule: unlit\ngoal: lit\n0111--\n111111\n1--1--\n"},
  {"chapter": 6, "asks": "light", "presses": 4, "board": "pattern: plus\nrule: unlit\n0000\n0000\n0000\n0000\ngoal:\n0110\n1001\n1001\n0110\n"},
  {"chapter": 6, "asks": "riddle", "dots": true, "presses": 5, "board": "pattern: stencil -2,-1 -2,1 -1,-2 -1,2 1,-2 1,2 2,-1 2,1\nrule: unlit\ngoal: lit\n01011\n10101\n11110\n01001\n"}
];
