import { describe, expect, it } from 'vitest';
import { type ApiResponse, ApiClient } from '#test/support/api-client.js';
import { deskForFile } from '#test/support/desk-for-file.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedToken } from '#test/support/seed.js';
import { META, McpClient, STATELESS, TOOLS, WITH_HANDSHAKE, mcpClient } from './support/mcp-client.js';

const desk = deskForFile();

const told = ({ status, body }: ApiResponse) => ({ status, code: body?.error?.code, id: body?.id });

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list', params: { _meta: META } };

const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 'a', method, params });

describe('revision 2026-07-28', () => {
  it('discovers the server without a handshake or a session', async () => {
    const { status, headers, body } = await (await mcpClient(desk)).request('server/discover');

    expect(status).toBe(200);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(body.result).toMatchObject({
      resultType: 'complete',
      supportedVersions: [STATELESS, WITH_HANDSHAKE],
      capabilities: { tools: {} },
      ttlMs: 3_600_000,
      cacheScope: 'public',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'deskwire' } },
    });
    expect(body.result.instructions).toContain('untrusted_text');
  });

  it('lists the tools with schemas, hints and how long they may be cached', async () => {
    const { body } = await (await mcpClient(desk)).request('tools/list');

    expect(body.result).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(TOOLS);
    for (const tool of body.result.tools)
      expect(tool).toMatchObject({
        title: expect.any(String),
        description: expect.any(String),
        inputSchema: { type: 'object', additionalProperties: false },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) },
      });
  });

  it('sends the output of a tool as text and as structured content', async () => {
    const number = await ticketFromAna(desk);

    const { body } = await (await mcpClient(desk)).call('read_ticket', { number });

    expect(body.result.structuredContent.ticket.number).toBe(number);
    expect(JSON.parse(body.result.content[0].text as string)).toEqual(body.result.structuredContent);
  });

  it.each(['unknown/method', 'initialize', 'ping', 'toString', '__proto__'])(
    'returns 404 for the method %s',
    async (method) => {
      expect(told(await (await mcpClient(desk)).request(method))).toEqual({ status: 404, code: -32601, id: 1 });
    },
  );

  it.each(['no_such_tool', 'Search_tickets', 'search_tickets ', 'constructor'])('knows no tool %j', async (name) => {
    const answer = await (await mcpClient(desk)).request('tools/call', { name }, { 'mcp-name': encoded(name) });

    expect(told(answer)).toEqual({ status: 200, code: -32602, id: 1 });
  });

  it.each([{ name: null }, { name: 7 }, { name: [] }, {}, { name: { toString: 1, valueOf: 1 } }])(
    'knows no tool for %j',
    async (params) => {
      const answer = await (await mcpClient(desk)).request('tools/call', params);

      expect(told(answer)).toEqual({ status: 200, code: -32602, id: 1 });
    },
  );

  it.each([
    ['has no MCP-Protocol-Version', { 'mcp-protocol-version': undefined }],
    ['has another MCP-Protocol-Version than the body', { 'mcp-protocol-version': WITH_HANDSHAKE }],
    ['has no Mcp-Method', { 'mcp-method': undefined }],
    ['has another Mcp-Method than the body', { 'mcp-method': 'tools/call' }],
    ['has Mcp-Method in another case', { 'mcp-method': 'Tools/List' }],
  ])('refuses a request that %s', async (_, changed) => {
    const all = { 'mcp-protocol-version': STATELESS, 'mcp-method': 'tools/list', ...changed };
    const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

    const answer = await (await mcpClient(desk)).raw(LIST, headers as Record<string, string>);

    expect(told(answer)).toEqual({ status: 400, code: -32020, id: 7 });
  });

  it.each([
    ['is missing', undefined, -32020],
    ['names another tool', 'change_ticket', -32020],
    ['names the tool in Base64', '=?base64?c2VhcmNoX3RpY2tldHM=?=', undefined],
  ])('compares Mcp-Name with the body when it %s', async (_, name, code) => {
    const client = await mcpClient(desk);
    const params = { _meta: META, name: 'search_tickets', arguments: {} };
    const headers = {
      'mcp-protocol-version': STATELESS,
      'mcp-method': 'tools/call',
      ...(name && { 'mcp-name': name }),
    };

    const { body } = await client.raw({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);

    expect(body.error?.code).toBe(code);
  });

  it('names the supported revisions to a client of another one', async () => {
    const { status, body } = await (
      await mcpClient(desk)
    ).request(
      'tools/list',
      { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '1900-01-01' } },
      { 'mcp-protocol-version': '1900-01-01' },
    );

    expect(status).toBe(400);
    expect(body.error).toMatchObject({
      code: -32022,
      data: { supported: [STATELESS, WITH_HANDSHAKE], requested: '1900-01-01' },
    });
  });

  it.each(['io.modelcontextprotocol/protocolVersion', 'io.modelcontextprotocol/clientCapabilities'])(
    'refuses a request without %s in _meta',
    async (field) => {
      const { [field]: _removed, ...rest } = META as Record<string, unknown>;

      const answer = await (await mcpClient(desk)).request('tools/list', { _meta: rest });

      expect(told(answer)).toEqual({ status: 400, code: -32602, id: 1 });
    },
  );

  it('has no resources and no prompts', async () => {
    const client = await mcpClient(desk);

    expect((await client.request('resources/list')).body.result.resources).toEqual([]);
    expect((await client.request('prompts/list')).body.result.prompts).toEqual([]);
    const { body } = await client.request('resources/read', { uri: 'ticket://1' });
    expect(body.error).toMatchObject({ code: -32602, data: { uri: 'ticket://1' } });
  });
});

describe('revision 2025-11-25', () => {
  it('answers initialize without a session', async () => {
    const asked = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } };

    const { status, headers, body } = await (await mcpClient(desk)).raw(message('initialize', asked));

    expect(status).toBe(200);
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(body.result).toMatchObject({ protocolVersion: WITH_HANDSHAKE, serverInfo: { name: 'deskwire' } });
  });

  it('accepts notifications with 202 and an empty body', async () => {
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };

    const { status, text } = await (await mcpClient(desk)).raw(notification);

    expect([status, text]).toEqual([202, '']);
  });

  it('lists and calls tools, with and without the header of the version', async () => {
    const client = await mcpClient(desk);
    const call = message('tools/call', { name: 'search_tickets', arguments: {} });

    const listed = await client.raw(message('tools/list'), { 'mcp-protocol-version': WITH_HANDSHAKE });
    const called = await client.raw(call);

    expect(listed.body.result.tools).toHaveLength(TOOLS.length);
    expect(called.body.result.structuredContent.tickets).toBeInstanceOf(Array);
    expect((await client.raw(message('ping'))).body).toEqual({ jsonrpc: '2.0', id: 'a', result: {} });
  });

  it('answers an unknown method with 200, because 404 means an ended session', async () => {
    const answer = await (await mcpClient(desk)).raw(message('server/discover'));

    expect(told(answer)).toEqual({ status: 200, code: -32601, id: 'a' });
  });

  it.each(['GET', 'DELETE', 'PUT'])('answers %s with 405', async (method) => {
    const { status, headers } = await new ApiClient(desk.base, desk.account.owner.token).send(method, '/mcp');

    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('messages', () => {
  it.each([
    ['a batch', [LIST, LIST], undefined],
    ['an empty batch', [], undefined],
    ['a response', { jsonrpc: '2.0', id: 1, result: {} }, 1],
    ['another version of JSON-RPC', { ...LIST, jsonrpc: '1.0' }, 7],
    ['no method', { jsonrpc: '2.0', id: 7 }, 7],
    ['a method that is no text', { ...LIST, method: { a: 1 } }, 7],
    ['an id that is null', { ...LIST, id: null }, undefined],
    ['an id that is an object', { ...LIST, id: { a: 1 } }, undefined],
    ['an id with a fraction', { ...LIST, id: 1.5 }, undefined],
    ['parameters in a list', { ...LIST, params: [] }, 7],
    ['a text', '"tools/list"', undefined],
    ['nothing', '', undefined],
    ['a NUL character', { ...LIST, params: { a: 'a\0b' } }, 7],
    ['half a surrogate pair', `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"a":"\\ud800"}}`, 7],
    ['values nested 10,000 deep', `{"jsonrpc":"2.0","id":7,"params":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 7],
    ['10,001 values', { ...LIST, params: { a: Array.from({ length: 10_001 }, () => 0) } }, 7],
  ])('refuses %s', async (_, body, id) => {
    expect(told(await (await mcpClient(desk)).raw(body))).toEqual({ status: 400, code: -32600, id });
  });

  it.each(['{', '{"jsonrpc":"2.0",}', 'tools/list'])('reports that %j is no JSON', async (body) => {
    expect(told(await (await mcpClient(desk)).raw(body))).toEqual({ status: 400, code: -32700, id: undefined });
  });

  it('refuses a body over 1 MiB', async () => {
    const answer = await (await mcpClient(desk)).raw({ ...LIST, params: { a: 'x'.repeat(1024 * 1024) } });

    expect(told(answer)).toEqual({ status: 413, code: -32600, id: undefined });
  });

  it('answers many requests with the same id at once, each alone', async () => {
    const client = await mcpClient(desk);

    const answers = await Promise.all(Array.from({ length: 20 }, () => client.call('search_tickets')));

    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(answers.map(() => [200, 1]));
  });
});

describe('access', () => {
  it('asks for a token', async () => {
    const { status, headers } = await new McpClient(desk.base).request('tools/list');

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
  });

  it('refuses a revoked token at once', async () => {
    const token = await seedToken(desk.sql, { accountId: desk.account.id, agentId: desk.account.owner.id });
    const client = new McpClient(desk.base, token);
    expect((await client.request('tools/list')).status).toBe(200);
    await desk.sql.query(
      'update grants g set revoked_at = now() from tokens t where t.grant_id = g.id and t.hash = sha256($1)',
      [Buffer.from(token)],
    );

    expect((await client.call('search_tickets')).status).toBe(401);
  });

  it('refuses pages of other sites', async () => {
    const client = await mcpClient(desk);
    const { origin } = new URL(desk.settings.PUBLIC_URL);

    expect((await client.request('tools/list', {}, { origin })).status).toBe(200);
    for (const other of ['http://evil.example', 'null', `${origin}.evil.example`])
      expect((await client.request('tools/list', {}, { origin: other })).status).toBe(403);
  });
});

const encoded = (name: string): string => `=?base64?${Buffer.from(name).toString('base64')}?=`;
