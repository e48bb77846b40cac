/** One environment variable and the typed value it becomes. `read` throws a sentence with the rule, never with the value. */
export interface Setting<T> {
  readonly doc: string;
  /** The default, as `.env.example` and docs/configuration.md show it. */
  readonly shown: string;
  /** The value when the variable is unset or empty. */
  readonly fallback: (environment: Environment) => T;
  readonly read: (text: string) => T;
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface SettingOptions<T> {
  readonly doc: string;
  readonly fallback: T | ((environment: Environment) => T);
  readonly shown?: string;
}

function setting<T>(described: SettingOptions<T>, read: (text: string) => T): Setting<T> {
  const { doc, fallback } = described;
  const compute = typeof fallback === 'function' ? (fallback as (environment: Environment) => T) : () => fallback;
  return {
    doc,
    shown: described.shown ?? (typeof fallback === 'function' ? '' : String(fallback ?? '')),
    fallback: compute,
    read,
  };
}

export const text = (described: SettingOptions<string>): Setting<string> => setting(described, (value) => value);

export const integer = (described: SettingOptions<number> & { min: number; max: number }): Setting<number> =>
  setting(described, (value) => {
    const number = Number(value);
    if (!Number.isInteger(number) || number < described.min || number > described.max)
      throw new Error(`must be a whole number from ${described.min} to ${described.max}`);
    return number;
  });

export const yesNo = (described: SettingOptions<boolean>): Setting<boolean> =>
  setting(described, (value) => {
    if (/^(true|1|yes|on)$/i.test(value)) return true;
    if (/^(false|0|no|off)$/i.test(value)) return false;
    throw new Error('must be true or false');
  });

export const oneOf = <T extends string>(described: SettingOptions<T> & { values: readonly T[] }): Setting<T> =>
  setting(described, (value) => {
    const found = described.values.find((known) => known === value);
    if (found === undefined) throw new Error(`must be one of ${described.values.join(', ')}`);
    return found;
  });

export const url = (described: SettingOptions<string> & { schemes: readonly string[] }): Setting<string> =>
  setting(described, (value) => readUrl(value, described.schemes));

export const optionalUrl = (
  described: SettingOptions<string | undefined> & { schemes: readonly string[] },
): Setting<string | undefined> => setting(described, (value) => readUrl(value, described.schemes));

export const requiredUrl = (
  described: Omit<SettingOptions<string>, 'fallback'> & { schemes: readonly string[] },
): Setting<string> => setting({ ...described, fallback: missing }, (value) => readUrl(value, described.schemes));

function missing(): never {
  throw new Error('must be set');
}

function readUrl(value: string, schemes: readonly string[]): string {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (!parsed || !schemes.includes(parsed.protocol.replace(':', '')))
    throw new Error(`must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
  return value;
}

/** A list separated by commas. `item` reads one part, or throws a sentence with the rule. */
export const list = <T>(described: SettingOptions<readonly T[]>, item: (text: string) => T): Setting<readonly T[]> =>
  setting(described, (value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(item),
  );
