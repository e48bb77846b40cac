import { headerName } from '#libs/settings';
import { FreeOfFaults } from '../layers/edge/field-decorators.js';

const MAX_HEADERS = 10;
const MAX_HEADERS_BYTES = 4096;
const HEADER_VALUE = /^[!-~](?:[ -~]{0,998}[!-~])?$/;
const PARTS: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  bearer: { token: /^[!-~]{1,1000}$/ },
  basic: { username: /^[^\p{C}:]{1,200}$/u, password: /^\P{C}{1,500}$/u },
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Never repeats a value. */
function headersFault(value: unknown): string | null {
  if (!isObject(value)) return 'must be an object with the value of each header';
  const names = Object.keys(value);
  if (names.length > MAX_HEADERS) return `must have at most ${MAX_HEADERS} names`;
  try {
    if (new Set(names.map(headerName)).size < names.length) return 'must not name a header twice';
  } catch (error) {
    return (error as Error).message;
  }
  if (!Object.values(value).every((text) => typeof text === 'string' && HEADER_VALUE.test(text)))
    return 'must have values of 1 to 1,000 visible ASCII characters, with spaces only between them';
  return JSON.stringify(value).length > MAX_HEADERS_BYTES ? 'must have at most 4 KiB in all' : null;
}

function authenticationFault(value: unknown): string | null {
  const { type, ...parts } = isObject(value) ? value : {};
  const rules = Object.entries((typeof type === 'string' && PARTS[type]) || {});
  const isValid = rules.every(([name, rule]) => typeof parts[name] === 'string' && rule.test(parts[name]));
  if (rules.length > 0 && rules.length === Object.keys(parts).length && isValid) return null;
  return 'must be {"type": "bearer", "token"} or {"type": "basic", "username", "password"}, with printable texts';
}

export const IsWebhookHeaders = () => FreeOfFaults('isWebhookHeaders', 'not_headers', headersFault);
export const IsAuthentication = () => FreeOfFaults('isAuthentication', 'not_authentication', authenticationFault);
