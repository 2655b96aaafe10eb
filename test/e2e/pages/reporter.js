// Tells the test what this page sees, in order, and runs what the test asks for.
(() => {
  const id = new URLSearchParams(location.search).get('id');
  let last = Promise.resolve();
  window.report = (state) => {
    const body = JSON.stringify(state);
    last = last.then(() => fetch(`/report?id=${id}`, { method: 'POST', body })).catch(() => undefined);
  };
  window.reportEvents = (target, names, describe = (event) => event.type) => {
    for (const name of names) target.addEventListener(name, (event) => report({ event: describe(event) }));
  };
  new EventSource(`/orders?id=${id}`).onmessage = ({ data }) => {
    const { order, expression } = JSON.parse(data);
    try {
      report({ order, value: (0, eval)(expression) });
    } catch (error) {
      report({ order, error: String(error) });
    }
  };
  addEventListener('resize', () => report({ width: innerWidth, height: innerHeight }));
  const loaded = () => report({ loaded: true, width: innerWidth, height: innerHeight });
  // Chromium throws away what people do before a page is painted for the first time: the second animation frame follows
  // that. A page in the back is not painted at all.
  addEventListener('load', () => {
    if (document.hidden) loaded();
    else requestAnimationFrame(() => requestAnimationFrame(loaded));
  });
})();
