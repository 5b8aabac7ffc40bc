// The elements of the page by their names in `index.html`.

import { root } from "./host.js";

export function at(id) { return root.getElementById(id); }

export function on(id, event, heard) { at(id).addEventListener(event, heard); }

export function write(place, words = "") { if (place.textContent !== words) place.textContent = words; }
