/** Environment of the command `cloud-browser mcp`, see `docs/api.md`. */
type McpEnvironment = Readonly<Record<string, string | undefined>>;

/** The environment of the command is incomplete. The message is for the operator. */
export class McpSettingsError extends Error {
  readonly code = 'err_mcp_settings';
}

/** Session that the command uses, or the service in which the command starts a session. */
export type McpSettings = { session: { url: string; token: string } } | { service: string; apiKey: string };

/** Reads the environment of the command `cloud-browser mcp`. Throws {@link McpSettingsError}. */
export function readMcpSettings(environment: McpEnvironment = process.env): McpSettings {
  const { CLOUD_BROWSER_URL: url, CLOUD_BROWSER_TOKEN: token, CLOUD_BROWSER_API_KEY: apiKey } = environment;
  // Without its scheme, localhost:8080 is an address of the scheme localhost.
  if (!url || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new McpSettingsError(
      'Set CLOUD_BROWSER_URL: the embed_url of a session, or the address of the service. It begins with http:// or https://.',
    );
  const { origin, pathname } = new URL(url);
  const address = `${origin}${pathname.replace(/\/$/, '')}`;
  if (token) return { session: { url: address, token } };
  if (apiKey) return { service: address, apiKey };
  throw new McpSettingsError(
    'Set CLOUD_BROWSER_TOKEN for a session at CLOUD_BROWSER_URL, or CLOUD_BROWSER_API_KEY to start a session.',
  );
}

/** Returns the output of `cloud-browser --help mcp`. */
export function mcpHelp(): string {
  return [
    'Usage: cloud-browser mcp',
    '',
    'Serves the tools of one browser to an AI application, on its standard input and output.',
    '',
    'Environment variables configure the command:',
    '',
    '  CLOUD_BROWSER_URL      embed_url of a session, or address of the service',
    '  CLOUD_BROWSER_TOKEN    token of the session at CLOUD_BROWSER_URL',
    '  CLOUD_BROWSER_API_KEY  API key that starts a session of the service at CLOUD_BROWSER_URL. Used only',
    '                         without CLOUD_BROWSER_TOKEN. The session ends with the application',
    '',
  ].join('\n');
}
