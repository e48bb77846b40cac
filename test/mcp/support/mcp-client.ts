import { ApiClient, type ApiResponse } from '#test/support/api-client.js';
import type { Desk } from '#test/support/desk.js';
import type { Scope } from '#libs/entities';
import { type SeededAgent, seedToken } from '#test/support/seed.js';

export const STATELESS = '2026-07-28';
export const WITH_HANDSHAKE = '2025-11-25';

export const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export const TOOLS = [
  'search_tickets',
  'list_waiting',
  'read_ticket',
  'draft_reply',
  'add_note',
  'change_ticket',
] as const;
export type ToolName = (typeof TOOLS)[number];

type Params = Readonly<Record<string, unknown>>;

/** Calls `/mcp` as a client of the stateless revision. */
export class McpClient {
  private readonly http: ApiClient;

  constructor(
    base: string,
    readonly token?: string,
  ) {
    this.http = new ApiClient(base, token);
  }

  /** Sends any body with any headers. */
  raw = (body: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> =>
    this.http.post('/mcp', body, headers);

  request(method: string, params: Params = {}, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const name = params['name'] ?? params['uri'];
    return this.raw(
      { jsonrpc: '2.0', id: 1, method, params: { _meta: META, ...params } },
      {
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': STATELESS,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
        ...headers,
      },
    );
  }

  call = (tool: ToolName, given: object = {}): Promise<ApiResponse> =>
    this.request('tools/call', { name: tool, arguments: given });

  /** The output of a call that succeeds. */
  async output(tool: ToolName, given: object = {}): Promise<ApiResponse['body']> {
    const { status, body, text } = await this.call(tool, given);
    if (status !== 200 || !body.result || body.result.isError) throw new Error(`${tool} failed: ${status} ${text}`);
    return body.result.structuredContent;
  }

  /** The refusal of a tool: `{error, detail, errors}`. */
  async refusal(tool: ToolName, given: object = {}): Promise<ApiResponse['body']> {
    const { body, text } = await this.call(tool, given);
    if (body?.result?.isError !== true) throw new Error(`${tool} did not refuse: ${text}`);
    return JSON.parse(body.result.content[0].text as string);
  }

  async toolNames(): Promise<string[]> {
    const { body } = await this.request('tools/list');
    return (body.result.tools as { name: string }[]).map(({ name }) => name);
  }
}

/** A client of the owner with all scopes, unless others are named. */
export async function mcpClient(
  desk: Desk,
  { agent = desk.account.owner, scopes }: { agent?: SeededAgent; scopes?: Scope[] } = {},
): Promise<McpClient> {
  const wanted = { accountId: desk.account.id, agentId: agent.id, ...(scopes && { scopes }) };
  return new McpClient(desk.base, scopes ? await seedToken(desk.sql, wanted) : agent.token);
}
