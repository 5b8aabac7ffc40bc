// GIF89a from frames of palette indices: LZW with codes that grow, as the format wants them.
// Only the rectangle that changes is written of each frame but the first.

// `frames`: { pixels, delay }, one index a pixel, the delay in hundredths of a second; `palette`: up
// to 256 colours as [red, green, blue]. Return the bytes.
export function gif(width, height, frames, palette) {
  const bits = Math.max(2, Math.ceil(Math.log2(palette.length))), out = [];
  const word = (x) => out.push(x & 255, x >> 8);
  const text = (words) => { for (const sign of words) out.push(sign.charCodeAt(0)); };
  text("GIF89a");
  word(width);
  word(height);
  out.push(0x80 | (bits - 1), 0, 0);
  for (let k = 0; k < 1 << bits; k++) out.push(...(palette[k] ?? [0, 0, 0]));
  out.push(0x21, 0xff, 11);
  text("NETSCAPE2.0");
  out.push(3, 1, 0, 0, 0);
  let before = null;
  for (const { pixels, delay } of frames) {
    const [x, y, w, h] = changed(pixels, before, width, height);
    out.push(0x21, 0xf9, 4, 0x04);
    word(delay);
    out.push(0, 0, 0x2c);
    for (const number of [x, y, w, h]) word(number);
    out.push(0, bits);
    const cut = new Uint8Array(w * h);
    for (let r = 0; r < h; r++) cut.set(pixels.subarray((y + r) * width + x, (y + r) * width + x + w), r * w);
    const bytes = lzw(cut, bits);
    for (let k = 0; k < bytes.length; k += 255) {
      const block = bytes.slice(k, k + 255);
      out.push(block.length, ...block);
    }
    out.push(0);
    before = pixels;
  }
  out.push(0x3b);
  return Uint8Array.from(out);
}

// The rectangle in which two frames differ: x, y, width, height.
function changed(pixels, before, width, height) {
  if (!before) return [0, 0, width, height];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let k = 0; k < pixels.length; k++) {
    if (pixels[k] === before[k]) continue;
    const x = k % width, y = (k - x) / width;
    [left, right, bottom] = [Math.min(left, x), Math.max(right, x), y];
    top = Math.min(top, y);
  }
  return right < 0 ? [0, 0, 1, 1] : [left, top, right - left + 1, bottom - top + 1];
}

function lzw(pixels, bits) {
  const clear = 1 << bits, end = clear + 1, out = [];
  let [size, next, codes, held, count] = [bits + 1, end + 1, new Map(), 0, 0];
  const put = (code) => {
    held |= code << count;
    for (count += size; count >= 8; count -= 8, held >>>= 8) out.push(held & 255);
  };
  put(clear);
  let prefix = pixels[0];
  for (let k = 1; k < pixels.length; k++) {
    const key = (prefix << 8) | pixels[k], known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    if (next === 4096) {
      put(clear);
      [size, next] = [bits + 1, end + 1];
      codes = new Map();
    } else {
      if (next === 1 << size) size++;
      codes.set(key, next++);
    }
    prefix = pixels[k];
  }
  put(prefix);
  put(end);
  if (count) out.push(held & 255);
  return out;
}
