/**
 * Matches `<meta name="cloud-browser-images" content="blob:">`. With this tag, a page declares that its
 * policy allows `blob:` images.
 */
const STATEMENT = 'meta[name="cloud-browser-images"][content~="blob:"]';
const POLICY = 'meta[http-equiv="Content-Security-Policy" i]';

/**
 * Returns true if the page has a Content-Security-Policy and does not declare that it allows `blob:` images.
 * Does not load an image to test this, because a blocked image causes an error in the page's console.
 */
export function mayForbidPictures(): boolean {
  if (document.querySelector(STATEMENT)) return false;
  // If the server sent a policy as a header, browsers hide the nonces of the document's elements. Scripts
  // have no other way to detect such a policy.
  const witness = document.createElement('i');
  witness.setAttribute('nonce', '1');
  document.documentElement.append(witness);
  const hidden = !witness.getAttribute('nonce');
  witness.remove();
  return hidden || document.querySelector(POLICY) !== null;
}
