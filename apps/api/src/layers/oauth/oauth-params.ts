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
  'login_hint',
  'prompt',
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

  /** `openid` asks for an id token, which is not offered; clients that always send it work all the same. */
  get scopes(): string[] | undefined {
    const names = this.words('scope').filter((scope) => scope !== 'openid');
    return names.length === 0 ? undefined : names;
  }

  words(name: ParamName): string[] {
    return [...new Set(this.get(name)?.split(' ').filter(Boolean))];
  }

  /** May be repeated (RFC 8707 section 2). */
  get resources(): string[] {
    const given = Object.hasOwn(this.source, 'resource') ? [this.source['resource']].flat() : [];
    if (!given.every((one): one is string => typeof one === 'string'))
      throw new OAuthError('invalid_target', 'The parameter resource must be text.');
    return given.filter(Boolean);
  }
}
