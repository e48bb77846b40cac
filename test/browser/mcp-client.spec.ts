import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { ApplicationServer } from './support/application.js';

let oauth: OAuthDesk;
let site: ApplicationServer;
const console = consoleForTests(async () => {
  site = await ApplicationServer.start();
  oauth = await OAuthDesk.start();
  return oauth.desk;
});
afterAll(() => site.stop());

type Tokens = Parameters<NonNullable<OAuthClientProvider['saveTokens']>>[0];

/** A program that uses the official SDK. */
class Assistant implements OAuthClientProvider {
  tokensSaved: Tokens[] = [];
  authorization: URL | undefined;
  private verifier = '';
  readonly clientMetadata = { client_name: 'Claude', redirect_uris: [site.callback] };

  constructor(private readonly client: { readonly client_id: string; readonly client_secret?: string }) {}

  get redirectUrl(): string {
    return site.callback;
  }

  readonly clientInformation = () => ({ ...this.client, issuer: oauth.base });
  readonly tokens = () => this.tokensSaved.at(-1);
  readonly codeVerifier = () => this.verifier;

  saveTokens(tokens: Tokens): void {
    this.tokensSaved.push(tokens);
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  redirectToAuthorization(url: URL): void {
    this.authorization = url;
  }
}

const transportFor = (assistant: Assistant) =>
  new StreamableHTTPClientTransport(new URL(`${oauth.base}/mcp`), { authProvider: assistant });

async function connected(assistant: Assistant): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transportFor(assistant));
  return client;
}

/** The person signs in and allows all that the assistant asks for. Returns the query of the redirect. */
async function allow({ authorization }: Assistant): Promise<URLSearchParams> {
  const { email } = await oauth.agent();
  const page = await console.anonymous();
  await page.goto(authorization!.href);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Reply to customers and add internal notes').waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
  return new URL(page.url()).searchParams;
}

async function textOf(call: Promise<object>): Promise<string> {
  const { content } = (await call) as { content: { text: string }[] };
  return content[0]!.text;
}

describe.each([true, false])('the official MCP client, public: %s', (isPublic) => {
  it('signs in, calls tools and refreshes its token', async () => {
    const app = await oauth.application({ name: 'Claude', isPublic, redirectUris: [site.callback] });
    const assistant = new Assistant({ client_id: app.clientId, ...(!isPublic && { client_secret: app.secret }) });
    const number = await ticketFromAna(oauth.desk);
    await expect(connected(assistant)).rejects.toThrow(UnauthorizedError);
    await transportFor(assistant).finishAuth(await allow(assistant));
    const client = await connected(assistant);

    const { tools } = await client.listTools();
    const noted = await textOf(client.callTool({ name: 'add_note', arguments: { number, body: 'Called her.' } }));
    oauth.desk.clock.advance({ hours: 3 });
    const read = await textOf(client.callTool({ name: 'read_ticket', arguments: { number } }));

    expect(tools).toHaveLength(6);
    expect(noted).toContain('"message_id"');
    expect(read).toContain('Called her.');
    expect(assistant.tokensSaved).toHaveLength(2);
    const { messages } = (await oauth.desk.client().get(`/v1/tickets/${number}/messages`)).body;
    expect(messages.at(-1).application).toEqual({ client_id: app.clientId, name: 'Claude' });
  });
});
