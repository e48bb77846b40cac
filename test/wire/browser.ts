import type { Answer, Ask, Fields } from './ask.js';

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36';
const ACCEPT = 'text/html,application/xhtml+xml';

interface Recorder {
  ask(line: string, ask: Ask): Promise<Answer>;
}

/** Keeps cookies and the proof of its forms. Follows nothing by itself. */
export class Browser {
  private readonly cookies = new Map<string, string>();
  /** Of the last page that had one. */
  csrf = '';
  last: Answer | undefined;

  constructor(
    private readonly recorder: Recorder,
    private readonly name: string,
  ) {}

  get(path: string, ask: Ask = {}): Promise<Answer> {
    return this.ask(`GET ${path}`, ask);
  }

  /** With the proof of the page seen last, unless the fields say otherwise. */
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    ask: Ask = {},
  ): Promise<Answer> {
    return this.ask(`POST ${path}`, { form: listed({ csrf: this.csrf, ...fields }), ...ask });
  }

  /** Without the proof first, which must change nothing. */
  async prove(path: string, fields: Readonly<Record<string, string | readonly string[]>> = {}): Promise<Answer> {
    await this.ask(`POST ${path}`, { about: 'no proof', form: listed(fields) });
    return this.post(path, fields);
  }

  async ask(line: string, ask: Ask = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { 'user-agent': CHROME, accept: ACCEPT, ...ask.headers };
    const shown = Object.entries(ask.headers ?? {}).map(([name, value]) => `${name}: ${value}`);
    const body = ask.form && new URLSearchParams(ask.form as [string, string][]).toString();
    const answer = await this.recorder.ask(line, {
      ...ask,
      as: null,
      about: [this.name, ask.about].filter(Boolean).join(': '),
      headers,
      shown: ask.shown ?? [...shown, body].filter(Boolean).join('\n'),
      cookie,
    });
    this.keep(answer);
    return answer;
  }

  /** Signs in and sees its first page; chooses the account named, where there are several. */
  async signIn(email: string, password: string, account?: string): Promise<Answer> {
    await this.get('/sign-in');
    const answer = await this.post('/sign-in', { email, password });
    const chosen = account && new RegExp(`value="([^"]+)"[^>]*>${account}<`).exec(answer.text)?.[1];
    if (chosen) await this.post('/sign-in/account', { agent: chosen });
    return this.get('/inbox');
  }

  private keep(answer: Answer): void {
    this.last = answer;
    for (const [name, value] of answer.headers) {
      if (name.toLowerCase() !== 'set-cookie') continue;
      const [, key = '', content = ''] = /^([^=]+)=([^;]*)/.exec(value) ?? [];
      if (content === '') this.cookies.delete(key);
      else this.cookies.set(key, content);
    }
    this.csrf = /name="csrf" value="([\w-]+)"/.exec(answer.text)?.[1] ?? this.csrf;
  }
}

const listed = (fields: Readonly<Record<string, string | readonly string[]>>): Fields =>
  Object.entries(fields).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : value.map((one) => [name, one] as const),
  );
