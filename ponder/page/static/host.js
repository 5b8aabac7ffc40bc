// Where the board lives, and who answers its questions: here a page of its own, and the server of
// `ponder play`. In a notebook `ponder/notebook/host.js` stands in the place of this file.

export { Address } from "./address.js";
export { ask, messages, start } from "./transport.js";

export const root = document;                       // where elements are found
export const frame = document.body;                 // what surrounds them
export const styled = document.documentElement;     // what has the colours
export const shares = true;                         // whether the board has an address to share
export const ended = new AbortController().signal;  // aborted when all this goes away: never here
export const tall = () => window.innerHeight;       // how high everything may be
