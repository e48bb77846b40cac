/** The part of the library that the tests use: it ships without types. */
declare module 'passport-oauth2' {
  interface Options {
    authorizationURL: string;
    tokenURL: string;
    clientID: string;
    clientSecret: string;
    callbackURL: string;
    state?: boolean;
    pkce?: 'S256';
  }
  interface IncomingRequest {
    query: Record<string, string>;
    session: Record<string, unknown>;
    url?: string;
  }
  interface Tokens {
    accessToken: string;
    refreshToken: string;
  }
  type Done = (error: Error | null, user: Tokens) => void;
  type Verify = (accessToken: string, refreshToken: string, profile: unknown, done: Done) => void;

  export class Strategy {
    constructor(options: Options, verify: Verify);
    authenticate(request: IncomingRequest): void;
    redirect(url: string): void;
    success(user: Tokens): void;
    fail(challenge: unknown): void;
    error(error: Error): void;
  }
}
