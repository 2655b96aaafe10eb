/** What the test asks of this page: the session's `embedUrl`, and options. */
export const asked = JSON.parse(decodeURIComponent(location.hash.slice(1)));
export const screen = document.getElementById('screen');
export const customer = (window.customer = {});

/** Starts the page's work and tells how it goes. */
export function run(start) {
  start().then(
    () => (customer.ready = true),
    (error) => (customer.error = String(error)),
  );
}
