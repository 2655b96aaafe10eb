import { CloudBrowserApi } from 'cloud-browser/api';
import { Session } from './session';

/** Each request has its own answer. */
export const dynamic = 'force-dynamic';

/** Runs on the server, which has the API key. The page gets the address alone. */
export default async function Page() {
  const { SERVICE_URL: baseUrl = 'http://127.0.0.1:8080', API_KEY: apiKey = '' } = process.env;
  const api = new CloudBrowserApi({ baseUrl, apiKey });
  const { embed_url: embedUrl } = await api.createSession({
    start_url: process.env['START_URL'] ?? 'https://example.com',
    tag: 'next',
  });
  return <Session embedUrl={embedUrl} />;
}
