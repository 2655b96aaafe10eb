// Reports this page's events to the test, in order, and runs the test's requests.
(() => {
  const id = new URLSearchParams(location.search).get('id');
  let last = Promise.resolve();
  window.report = (state) => {
    const body = JSON.stringify(state);
    last = last.then(() => fetch(`/report?id=${id}`, { method: 'POST', body })).catch(() => undefined);
  };
  /** Resolves when all reports so far have arrived. */
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
  // Chromium ignores input before the first picture of a page is on the screen. A busy machine shows it long
  // after it was painted. So this entry is sent when the picture is there. A page in the background is never
  // painted.
  const shown = new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true });
    const resolveInBack = () => document.hidden && resolve();
    addEventListener('visibilitychange', resolveInBack);
    resolveInBack();
  });
  addEventListener('load', () => void shown.then(loaded));
})();
