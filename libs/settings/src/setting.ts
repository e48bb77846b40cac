import { parseUrl } from './parse-url.js';

/** An environment variable and its typed value. `read` throws a sentence with the rule, never with the value. */
export interface Setting<T> {
  readonly doc: string;
  /** The default in `.env.example` and docs/configuration.md. */
  readonly shown: string;
  /** The value if the variable is unset or empty. */
  readonly fallback: (environment: Environment) => T;
  /** `environment` is for a rule that depends on other variables. */
  readonly read: (text: string, environment: Environment) => T;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A default that depends on other variables. */
export class Derived<T> {
  constructor(
    readonly shown: string,
    readonly from: (environment: Environment) => T,
  ) {}
}

type Fallback<T> = T | Derived<T>;

export function setting<T>(doc: string, fallback: Fallback<T>, read: Setting<T>['read']): Setting<T> {
  if (fallback instanceof Derived) return { doc, shown: fallback.shown, fallback: fallback.from, read };
  return { doc, shown: String(fallback ?? ''), fallback: () => fallback, read };
}

/** Undefined without a fallback. */
export const text = <T extends string | undefined = undefined>(doc: string, fallback?: T): Setting<string | T> =>
  setting<string | T>(doc, fallback as T, (value) => value);

export const integer = (doc: string, fallback: Fallback<number>, [min, max]: readonly [number, number]) =>
  setting<number>(doc, fallback, (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  });

export const yesNo = (doc: string, fallback: Fallback<boolean>): Setting<boolean> =>
  setting(doc, fallback, (value) => {
    if (/^(true|1|yes|on)$/i.test(value)) return true;
    if (/^(false|0|no|off)$/i.test(value)) return false;
    throw new Error('must be true or false');
  });

export const oneOf = <T extends string>(
  doc: string,
  fallback: Fallback<NoInfer<T>>,
  values: readonly T[],
): Setting<T> =>
  setting<T>(doc, fallback, (value) => {
    const found = values.find((known) => known === value);
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  });

/** `addressesIn` splits an address with several hosts. */
export const url = <T>(
  doc: string,
  fallback: Fallback<T>,
  schemes: readonly string[],
  addressesIn: (value: string) => readonly string[] = (value) => [value],
): Setting<T | string> =>
  setting<T | string>(doc, fallback, (value) => {
    const isAddress = (one: string) => schemes.includes(parseUrl(one)?.protocol.replace(':', '') ?? '');
    if (!addressesIn(value).every(isAddress))
      throw new Error(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    return value;
  });

export const REQUIRED = new Derived<never>('', () => {
  throw new Error('must be set');
});

/** A list separated by commas. `item` reads one part. */
export const list = <T>(
  doc: string,
  fallback: Fallback<readonly T[]>,
  item: (text: string) => T,
): Setting<readonly T[]> =>
  setting<readonly T[]>(doc, fallback, (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item),
  );
