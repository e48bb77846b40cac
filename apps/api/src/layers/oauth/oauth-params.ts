import { OAuthError } from './oauth-error.filter.js';

/** Other parameters are ignored (RFC 6749 section 3.1). */
const PARAM_NAMES = [
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'grant_type',
  'redirect_uri',
  'refresh_token',
  'response_type',
  'scope',
  'state',
  'token',
] as const;
type ParamName = (typeof PARAM_NAMES)[number];

/** A repeated parameter is refused, because an attacker could choose which value counts. */
export class OAuthParams {
  private readonly source: Readonly<Record<string, unknown>>;

  /** Anything but an object has no parameters. */
  constructor(source: unknown) {
    this.source = Object(source) as Record<string, unknown>;
  }

  get(name: ParamName): string | undefined {
    const value = Object.hasOwn(this.source, name) ? this.source[name] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string' || value.includes('\0'))
      throw new OAuthError('invalid_request', `The parameter ${name} must be given once, as text.`);
    return value;
  }

  require(name: ParamName): string {
    const value = this.get(name);
    if (value === undefined) throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
    return value;
  }

  /** Also refuses repeated parameters that are not read. */
  rejectRepeated(): this {
    for (const name of PARAM_NAMES) this.get(name);
    return this;
  }

  get scopes(): string[] | undefined {
    const scope = this.get('scope');
    return scope === undefined ? undefined : [...new Set(scope.split(' ').filter(Boolean))];
  }
}
