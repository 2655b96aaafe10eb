import { CloudBrowserApi } from 'cloud-browser/api';

/** Runs on the server, which has the API key. The page gets the address alone. */
export default defineEventHandler(async () => {
  const { SERVICE_URL: baseUrl = 'http://127.0.0.1:8080', API_KEY: apiKey = '', START_URL } = process.env;
  const api = new CloudBrowserApi({ baseUrl, apiKey });
  const { embed_url: embedUrl } = await api.createSession({
    start_url: START_URL ?? 'https://example.com',
    tag: 'nuxt',
  });
  return { embedUrl };
});
