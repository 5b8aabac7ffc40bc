// The elements of the page by their names in `index.html`.

import { root } from "./host.js";

export function at(id) { return root.getElementById(id); }

export function on(id, event, heard) { at(id).addEventListener(event, heard); }

export function write(place, words = "") { if (place.textContent !== words) place.textContent = words; }

// Check the radio button of a value.
export function check(place, value) {
  for (const input of at(place).querySelectorAll("input")) input.checked = input.value === value;
}
