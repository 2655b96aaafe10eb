/**
 * Matches `<meta name="cloud-browser-images" content="blob:">`, which says that the page's policy allows
 * them.
 */
const STATEMENT = 'meta[name="cloud-browser-images"][content~="blob:"]';
const POLICY = 'meta[http-equiv="Content-Security-Policy" i]';

/**
 * Returns true if the page has a Content-Security-Policy and does not say that it allows `blob:` images.
 * Loads nothing, because each image that a policy blocks causes an error in the page's console.
 */
export function mayForbidPictures(): boolean {
  if (document.querySelector(STATEMENT)) return false;
  // If a document came with a policy, browsers hide the nonces of its elements. Scripts see no other sign of
  // it.
  const witness = document.createElement('i');
  witness.setAttribute('nonce', '1');
  document.documentElement.append(witness);
  const hidden = !witness.getAttribute('nonce');
  witness.remove();
  return hidden || document.querySelector(POLICY) !== null;
}
