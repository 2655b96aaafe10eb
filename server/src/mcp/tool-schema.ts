import type { McpBrowser } from './mcp-browser.js';
import type { ToolContent } from './tool-content.js';

/** JSON Schema of a tool's arguments. */
export interface ToolSchema {
  type: 'object';
  properties: Record<string, Record<string, string | string[] | { type: string }>>;
  required?: string[];
}

/** Arguments of a tool. The session checks them. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/** A tool of the MCP server. */
export interface BrowserTool {
  name: string;
  description: string;
  inputSchema: ToolSchema;
  /** True if the tool changes nothing. */
  readOnly: boolean;
  run(browser: McpBrowser, args: ToolArguments): Promise<ToolContent[]>;
}

/** Returns a result that is a text. */
export const text = (value: string): ToolContent[] => [{ type: 'text', text: value }];
/** Returns the schema of a text. */
export const string = (description: string) => ({ type: 'string', description });
/** Returns the schema of a number. */
export const number = (description: string) => ({ type: 'number', description });
/** Returns the schema of a boolean. */
export const flag = (description: string) => ({ type: 'boolean', description });
/** Returns the schema of one of several texts. */
export const choice = (values: string[], description: string) => ({
  ...{ type: 'string', enum: values, description },
});
