import { toBase64Url } from './base64.js';
import { parsed } from './deskwire-error.js';
import { NetworkFailure } from './network-failure.js';

export interface OAuthOptions {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** One that is registered, character for character. */
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

/** Keep it in the person's session until the person comes back. */
export interface Authorization {
  readonly url: string;
  readonly state: string;
  readonly codeVerifier: string;
}

/** Where the tokens of one grant are kept. All processes that use the grant share it. */
export interface TokenStore {
  read(): Promise<Tokens>;
  write(tokens: Tokens): Promise<void>;
  /** Runs one at a time over all processes. It may be left out: see `tokenOf`. */
  lock?<T>(work: () => Promise<T>): Promise<T>;
}

/** An error in the words of RFC 6749. */
export class OAuthRefused extends Error {
  override readonly name = 'OAuthRefused';

  constructor(
    readonly code: string,
    description: string,
    /** What the server answered; 0 where it was not asked. */
    readonly status = 0,
  ) {
    super(description);
  }
}

/** A token is renewed a little before it ends, so that none ends on its way. */
const MARGIN_MS = 60_000;

/** Access that a person gives to an application. */
export class DeskwireOAuth {
  private readonly base: string;

  constructor(private readonly options: OAuthOptions) {
    this.base = options.baseUrl.replace(/\/$/, '');
  }

  /** Where to send the person, with PKCE and a state of its own. */
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

  /** Tokens for the address that the person came back to. It is refused unless it answers this very request. */
  async exchange(callbackUrl: string | URL, { state, codeVerifier }: Omit<Authorization, 'url'>): Promise<Tokens> {
    const answer = new URL(callbackUrl, this.options.redirectUri).searchParams;
    if (answer.get('state') !== state)
      throw new OAuthRefused('state_mismatch', 'This answer belongs to another request for access.');
    const issuer = answer.get('iss');
    if (issuer !== null && issuer.replace(/\/$/, '') !== this.base)
      throw new OAuthRefused('issuer_mismatch', `This answer is from ${issuer}, not from ${this.base}.`);
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

  /** Ends the grant and all its tokens. */
  async revoke(token: string): Promise<void> {
    await this.post('/oauth/revoke', { token });
  }

  /**
   * What `new Deskwire({ token })` takes: the token in the store, renewed when it must be. Within this process one call
   * renews for all. Over several, the store's lock does; without one the server gives all who ask within 30 seconds the
   * same new tokens, and who comes later finds them in the store.
   */
  tokenOf(store: TokenStore): (refused?: string) => Promise<string> {
    let renewal: Promise<Tokens> | undefined;
    return async (refused) => {
      const kept = await store.read();
      if (isGood(kept, refused)) return kept.accessToken;
      const lock = store.lock?.bind(store) ?? ((work: () => Promise<Tokens>) => work());
      renewal ??= lock(() => this.renew(store, refused)).finally(() => {
        renewal = undefined;
      });
      return (await renewal).accessToken;
    };
  }

  private async renew(store: TokenStore, refused: string | undefined): Promise<Tokens> {
    const kept = await store.read();
    if (isGood(kept, refused)) return kept;
    try {
      const tokens = await this.refresh(kept.refreshToken);
      await store.write(tokens);
      return tokens;
    } catch (error) {
      const now = await store.read();
      if (now.refreshToken !== kept.refreshToken) return now;
      throw error;
    }
  }

  private async tokens(form: Readonly<Record<string, string>>): Promise<Tokens> {
    const askedAt = Date.now();
    const answer = JSON.parse(await this.post('/oauth/token', form)) as TokenAnswer;
    return {
      accessToken: answer.access_token,
      refreshToken: answer.refresh_token,
      expiresAt: askedAt + answer.expires_in * 1000,
      ...(answer.scope !== undefined && { scope: answer.scope }),
    };
  }

  private async post(path: string, form: Readonly<Record<string, string>>): Promise<string> {
    const { clientId, clientSecret, fetch: ask = fetch } = this.options;
    const asking = ask(`${this.base}${path}`, {
      method: 'POST',
      redirect: 'error',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: new URLSearchParams({ ...form, client_id: clientId, client_secret: clientSecret }).toString(),
    });
    const response = await NetworkFailure.of(asking);
    const text = await NetworkFailure.of(response.text());
    if (response.ok) return text;
    const answer = (parsed(text) ?? {}) as { error?: string; error_description?: string };
    throw new OAuthRefused(
      answer.error ?? 'server_error',
      answer.error_description ?? `The server answered ${response.status}.`,
      response.status,
    );
  }
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope?: string;
}

const isGood = ({ accessToken, expiresAt }: Tokens, refused: string | undefined): boolean =>
  accessToken !== refused && expiresAt - MARGIN_MS > Date.now();

const randomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
