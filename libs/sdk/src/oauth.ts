import { NetworkFailure, parsed } from './errors.js';

export interface OAuthOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  /** A registered redirect URI, character for character. */
  readonly redirectUri: string;
  readonly fetch?: typeof fetch;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly scope?: string;
}

/** Store it in the person's session until the person returns. */
export interface Authorization {
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** Stores the tokens of one grant, shared by all processes that use it. */
export interface TokenStore {
  read(): Promise<Tokens>;
  write(tokens: Tokens): Promise<void>;
  /** Runs `work` in one process at a time. Optional: see `tokenOf`. */
  lock?<T>(work: () => Promise<T>): Promise<T>;
}

/** An error of RFC 6749. */
export class OAuthRefused extends Error {
  override readonly name = 'OAuthRefused';

  constructor(
    readonly code: string,
    description: string,
    /** The status of the response; 0 if there was no request. */
    readonly status = 0,
  ) {
    super(description);
  }
}

/** So that no token expires in transit. */
const MARGIN_MS = 60_000;

export class DeskwireOAuth {
  private readonly base: string;

  constructor(private readonly options: OAuthOptions) {
    this.base = options.baseUrl.replace(/\/$/, '');
  }

  /** The URL to send the person to, with PKCE and a state. */
  async authorization({ scope }: { readonly scope?: string } = {}): Promise<Authorization> {
    const state = randomText();
    const codeVerifier = randomText();
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier));
    const query = new URLSearchParams({
      client_id: this.options.clientId,
      response_type: 'code',
      redirect_uri: this.options.redirectUri,
      state,
      code_challenge: toBase64Url(new Uint8Array(hash)),
      code_challenge_method: 'S256',
      ...(scope !== undefined && { scope }),
    });
    return { url: `${this.base}/oauth/authorize?${query}`, state, codeVerifier };
  }

  /** Exchanges the URL that the person returned to. Throws unless it belongs to this authorization. */
  async exchange(callbackUrl: string | URL, { state, codeVerifier }: Omit<Authorization, 'url'>): Promise<Tokens> {
    const answer = new URL(callbackUrl, this.options.redirectUri).searchParams;
    if (answer.get('state') !== state)
      throw new OAuthRefused('state_mismatch', 'This response belongs to another authorization request.');
    const issuer = answer.get('iss');
    // RFC 9207: without it, the response is from another server.
    if (issuer?.replace(/\/$/, '') !== this.base)
      throw new OAuthRefused(
        'issuer_mismatch',
        `This response is from ${issuer ?? 'elsewhere'}, not from ${this.base}.`,
      );
    const error = answer.get('error');
    if (error !== null) throw new OAuthRefused(error, answer.get('error_description') ?? error);
    return this.tokens({
      grant_type: 'authorization_code',
      code: answer.get('code') ?? '',
      redirect_uri: this.options.redirectUri,
      code_verifier: codeVerifier,
    });
  }

  refresh(refreshToken: string): Promise<Tokens> {
    return this.tokens({ grant_type: 'refresh_token', refresh_token: refreshToken });
  }

  /** A refresh token ends all that came from its sign-in. */
  async revoke(token: string): Promise<void> {
    await this.post('/oauth/revoke', { token });
  }

  /**
   * The `token` option of `Deskwire`: reads the token from the store and renews it. One renewal runs at a time in this
   * process, and the lock of the store extends that to all processes. Without a lock, the server returns the same new
   * tokens to all requests within 30 seconds; for a public client it ends the grant instead.
   */
  tokenOf(store: TokenStore): (refused?: string) => Promise<string> {
    let renewal: Promise<Tokens> | undefined;
    return async (refused) => {
      const stored = await store.read();
      if (isGood(stored, refused)) return stored.accessToken;
      const lock = store.lock?.bind(store) ?? ((work: () => Promise<Tokens>) => work());
      renewal ??= lock(() => this.renew(store, refused)).finally(() => {
        renewal = undefined;
      });
      return (await renewal).accessToken;
    };
  }

  private async renew(store: TokenStore, refused: string | undefined): Promise<Tokens> {
    const stored = await store.read();
    if (isGood(stored, refused)) return stored;
    try {
      const tokens = await this.refresh(stored.refreshToken);
      await store.write(tokens);
      return tokens;
    } catch (error) {
      const now = await store.read();
      if (now.refreshToken !== stored.refreshToken) return now;
      throw error;
    }
  }

  private async tokens(form: Readonly<Record<string, string>>): Promise<Tokens> {
    const sentAt = Date.now();
    const answer = JSON.parse(await this.post('/oauth/token', form)) as TokenAnswer;
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt: sentAt + answer.expires_in * 1000,
      ...(answer.scope !== undefined && { scope: answer.scope }),
    };
  }

  private async post(path: string, form: Readonly<Record<string, string>>): Promise<string> {
    const { clientId, clientSecret, fetch: send = fetch } = this.options;
    const request = send(`${this.base}${path}`, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({
        ...form,
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
      }).toString(),
    });
    const response = await NetworkFailure.of(request);
    const text = await NetworkFailure.of(response.text());
    if (response.ok) return text;
    const answer = (parsed(text) ?? {}) as { error?: string; error_description?: string };
    throw new OAuthRefused(
      answer.error ?? 'server_error',
      answer.error_description ?? `The server responded with ${response.status}.`,
      response.status,
    );
  }
}

type TokenAnswer = { access_token: string; refresh_token: string; expires_in: number; scope?: string };

const isGood = ({ accessToken, expiresAt }: Tokens, refused: string | undefined): boolean =>
  accessToken !== refused && expiresAt - MARGIN_MS > Date.now();

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replaceAll(/[+/=]/g, (sign) => ({ '+': '-', '/': '_' })[sign] ?? '');

const randomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
