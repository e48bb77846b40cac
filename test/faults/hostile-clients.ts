import { type Page, Person } from '../oauth/support/person.js';
import { ApiClient } from '#test/support/api-client.js';
import type { AppProcess } from '#test/support/app-process.js';
import type { Desk } from '#test/support/desk.js';
import { startTicket } from '#test/support/desk-records.js';
import { sessionCookie } from '#test/support/live-stream.js';
import { RawConnection } from '#test/support/raw-connection.js';

/** Number of concurrent clients of each kind. */
export interface Crowd {
  readonly slowHeaders: number;
  readonly halfBodies: number;
  readonly deafReaders: number;
  readonly uploads: number;
  readonly streams: number;
  readonly signIns: number;
  readonly problems: number;
}

/** A response contains each text twice, with and without markup. */
const MESSAGES = 16;
const MESSAGE_CHARACTERS = 450_000;
const HALF_A_BODY = 500_000;
const BOUNDARY = '----crowd';

/** Clients that hold all that they can get, at once, of an API in its own process. */
export class HostileCrowd {
  private readonly connections: RawConnection[] = [];
  private readonly held = new Set<RawConnection>();
  private readonly requests: Promise<number>[] = [];
  private path = '';
  private message = '';
  private cookie = '';
  private readonly stranger: Person;
  private signInPage: Page | undefined;

  constructor(
    private readonly desk: Desk,
    private readonly api: AppProcess,
  ) {
    this.stranger = new Person(api.base);
  }

  /** A ticket whose messages make a large response, and a signed-in agent. */
  async prepare(): Promise<void> {
    const { number } = await startTicket(this.desk);
    this.path = `/v1/tickets/${number}/messages`;
    for (let message = 0; message < MESSAGES; message++)
      await this.desk.client().post(this.path, { body: 'a'.repeat(MESSAGE_CHARACTERS) });
    const { messages } = (await this.desk.client().get(this.path)).body;
    this.message = messages[0].id as string;
    this.cookie = await sessionCookie(this.desk);
    this.signInPage = await this.stranger.get('/sign-in');
  }

  come(crowd: Crowd): void {
    const { slowHeaders, halfBodies, deafReaders, uploads, streams, signIns, problems } = crowd;
    times(slowHeaders, () => this.held.add(this.open('GET /healthz HTTP/1.1', 'host: x', 'x-more: ').drip(200)));
    times(halfBodies, () =>
      this.held.add(this.postHalf('/sign-in', 'application/json', 'a'.repeat(HALF_A_BODY)).drip(200)),
    );
    times(deafReaders, () => this.get(this.path, `authorization: Bearer ${this.token}`).socket.pause());
    times(uploads, () => this.held.add(this.upload().drip(200)));
    times(streams, () => this.get('/live?watch=tickets', `cookie: ${this.cookie}`));
    times(signIns, (n) => this.signIn(`somebody-${n}@acme.test`));
    times(problems, () => this.askWrongly('/v1/tickets'));
  }

  /** The statuses of the requests that were sent completely. */
  answered(): Promise<number[]> {
    return Promise.all(this.requests);
  }

  leave(): void {
    for (const connection of this.connections) connection.close();
  }

  /** Connections of slow clients that the API has not ended. */
  get stillHeld(): number {
    return [...this.held].filter(({ socket }) => !socket.destroyed).length;
  }

  private get token(): string {
    return this.desk.account.owner.token;
  }

  private open(...lines: string[]): RawConnection {
    const connection = new RawConnection(this.api.base).send(...lines);
    this.connections.push(connection);
    return connection;
  }

  private get(path: string, header: string): RawConnection {
    return this.open(`GET ${path} HTTP/1.1`, 'host: x', header, '', '');
  }

  private postHalf(path: string, type: string, body: string): RawConnection {
    const length = `content-length: ${2 * body.length}`;
    const authorization = `authorization: Bearer ${this.token}`;
    return this.open(`POST ${path} HTTP/1.1`, 'host: x', authorization, `content-type: ${type}`, length, '', body);
  }

  private upload(): RawConnection {
    const part = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return this.postHalf(`/v1/messages/${this.message}/attachments`, type, part + 'a'.repeat(HALF_A_BODY));
  }

  private signIn(email: string): void {
    const answer = this.stranger.submit(this.signInPage!, '/sign-in', { email, password: 'not the password' });
    this.requests.push(answer.then(({ status }) => status));
  }

  /** With the maximum number of invalid fields, each with a long name. */
  private askWrongly(path: string): void {
    const body = `${'a'.repeat(1000)}[]=%00&`.repeat(200);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = new ApiClient(this.api.base, this.token).send('POST', path, body, headers);
    this.requests.push(answer.then(({ status }) => status));
  }
}

function times(count: number, act: (index: number) => unknown): void {
  for (let index = 0; index < count; index++) act(index);
}
