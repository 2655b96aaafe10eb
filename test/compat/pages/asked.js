/** Parameters from the test: the session's `embedUrl`, and options. */
export const asked = JSON.parse(decodeURIComponent(location.hash.slice(1)));
export const screen = document.getElementById('screen');
export const customer = (window.customer = {});

/** Runs the page's work and reports its state. */
export function run(start) {
  start().then(
    () => (customer.ready = true),
    (error) => (customer.error = String(error)),
  );
}
