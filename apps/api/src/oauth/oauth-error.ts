export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'invalid_scope';

interface OAuthErrorOptions {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error of RFC 6749, which allows only ASCII without quotes in the description. */
export class OAuthError extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly code: OAuthErrorCode,
    readonly description: string,
    { status, headers = {} }: OAuthErrorOptions = {},
  ) {
    super(`${code}: ${description}`);
    this.status = status ?? (code === 'invalid_client' ? 401 : 400);
    this.headers = headers;
  }
}
