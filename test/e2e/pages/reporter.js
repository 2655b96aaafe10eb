// Tells the test what this page sees, in order, and runs what the test asks for.
(() => {
  const id = new URLSearchParams(location.search).get('id');
  let last = Promise.resolve();
  window.report = (state) => {
    const body = JSON.stringify(state);
    last = last.then(() => fetch(`/report?id=${id}`, { method: 'POST', body })).catch(() => undefined);
  };
  /** Resolves when all that was reported so far has arrived. */
  window.reported = () => last;
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
  // Chromium throws away what people do before the first picture of a page is on the screen, which a busy
  // machine shows long after it was painted: the entry comes when it is there. A page in the back is not
  // painted at all.
  const shown = new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    const resolveInBack = () => document.hidden && resolve();
    addEventListener('visibilitychange', resolveInBack);
    resolveInBack();
  });
  addEventListener('load', () => void shown.then(loaded));
})();
