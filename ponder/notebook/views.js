// The module that anywidget takes: SOURCES, which `widget.py` puts before this text, are the page's
// modules by name. Each view loads all of them anew, so that it has its own state.

export default { async render({ model, el }) {
  const over = new AbortController(), addresses = new Map();
  const address = (name) => {
    if (!addresses.has(name)) {
      let text = SOURCES[name];
      for (const other in SOURCES)
        if (text.includes(`"./${other}"`)) text = text.replaceAll(`"./${other}"`, `"${address(other)}"`);
      addresses.set(name, URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    }
    return addresses.get(name);
  };
  const { given } = await import(address("given.js"));
  Object.assign(given, { model, el, leaving: over.signal });
  await import(address("main.js"));
  addresses.forEach((made) => URL.revokeObjectURL(made));
  return () => over.abort();
} };
