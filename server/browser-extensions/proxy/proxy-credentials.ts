interface Credentials {
  username: string;
  password: string;
}

const KEY = 'proxy';
/** A proxy that refuses the credentials asks again and again; after that many times the browser shows its own dialog. */
const ATTEMPTS = 2;
const attempts = new Map<string, number>();

/** Kept in memory, but for longer than this worker lives. */
export async function setProxyCredentials(credentials: Credentials): Promise<void> {
  await chrome.storage.session.set({ [KEY]: credentials });
}

/** Answers when the proxy, and nobody else, asks for credentials. */
export function answerProxy(): void {
  chrome.webRequest.onAuthRequired.addListener(
    ({ isProxy, requestId }, answer) => {
      const attempt = (attempts.get(requestId) ?? 0) + 1;
      attempts.set(requestId, attempt);
      if (!isProxy || attempt > ATTEMPTS) answer({});
      else void credentials().then((found) => answer(found ? { authCredentials: found } : {}));
    },
    { urls: ['<all_urls>'] },
    ['asyncBlocking'],
  );
}

async function credentials(): Promise<Credentials | undefined> {
  return (await chrome.storage.session.get(KEY))[KEY] as Credentials | undefined;
}
