import { CloudBrowserApi } from 'cloud-browser/api';
import { env } from '$env/dynamic/private';

/** Runs on the server, which has the API key. The page gets the address alone. */
export async function load() {
  const api = new CloudBrowserApi({
    baseUrl: env['SERVICE_URL'] ?? 'http://127.0.0.1:8080',
    apiKey: env['API_KEY'] ?? '',
  });
  const { embed_url: embedUrl } = await api.createSession({
    start_url: env['START_URL'] ?? 'https://example.com',
    tag: 'sveltekit',
  });
  return { embedUrl };
}
