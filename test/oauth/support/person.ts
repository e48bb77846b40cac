export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  readonly location: string | null;
}

/** A person with a browser without scripts: keeps cookies, reads forms, and follows redirects only on request. */
export class Person {
  readonly cookies = new Map<string, string>();
  private csrf: string | undefined;

  constructor(readonly base: string) {}

  get = (path: string, headers: Record<string, string> = {}): Promise<Page> => this.send('GET', path, { headers });

  /** Sends what the person types, with the hidden CSRF field of the page. */
  async submit(page: Page, path: string, fields: Record<string, string>): Promise<Page> {
    return this.post(path, { csrf: csrfOf(page), ...fields });
  }

  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    return this.send('POST', path, { headers, body: new URLSearchParams(fields) });
  }

  /** Sends a form of the console with the CSRF token of the session. */
  async act(path: string, fields: Record<string, string> = {}): Promise<Page> {
    this.csrf ??= csrfOf(await this.get('/profile'));
    return this.post(path, { csrf: this.csrf, ...fields });
  }

  async signIn(email: string, password: string): Promise<Page> {
    return this.submit(await this.get('/sign-in'), '/sign-in', { email, password });
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.get('/profile')).status === 200;
  }

  /** Follows redirects within the installation, and returns the first that leaves it. */
  async follow(page: Page): Promise<Page> {
    let current = page;
    while (current.location && new URL(current.location, this.base).origin === new URL(this.base).origin)
      current = await this.get(current.location);
    return current;
  }

  /** What was allowed before is not asked again. */
  async decide(authorize: string, decision: 'allow' | 'deny'): Promise<URL> {
    const consent = await this.get(authorize);
    if (decision === 'allow' && consent.location) return new URL(consent.location, this.base);
    if (consent.status !== 200) throw new Error(`no consent page: ${consent.status} ${consent.html}`);
    const answer = await this.submit(consent, authorize, { decision });
    if (!answer.location) throw new Error(`the decision led nowhere: ${answer.status} ${answer.html}`);
    return new URL(answer.location);
  }

  async send(method: string, path: string, init: RequestInit): Promise<Page> {
    const cookie = this.cookieHeader;
    const headers = { ...(cookie && { cookie }), ...(init.headers as Record<string, string>) };
    const answer = await fetch(new URL(path, this.base), { ...init, method, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    return {
      status: answer.status,
      headers: answer.headers,
      html: await answer.text(),
      location: answer.headers.get('location'),
    };
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === '') this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export const csrfOf = (page: Page): string => /name="csrf" value="([^"]+)"/.exec(page.html)?.[1] ?? '';
