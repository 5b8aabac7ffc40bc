// Return what does some work at most once in `pause` milliseconds: at once if it can, else later.
export function paced(work, pause) {
  let timer = 0, last = 0;
  return () => {
    clearTimeout(timer);
    const wait = last + pause - performance.now(), go = () => { last = performance.now(); work(); };
    if (wait <= 0) go();
    else timer = setTimeout(go, wait);
  };
}
