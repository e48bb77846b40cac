/** What a broken rule is called, and how it is said to whoever sent the field. */
interface RuleWords {
  readonly code: string;
  /** Goes on after the name of the field. Absent where the rule's own message says what is wrong with this value. */
  readonly must?: (...constraints: never[]) => string;
}

const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;

/**
 * By the names that class-validator gives to rules, which are those of functions and no words for users. Where a value
 * breaks several, the first of them here is told: what kind of value it is comes before how much of it there is.
 */
export const RULES: Readonly<Record<string, RuleWords>> = {
  isString: { code: 'not_a_text', must: () => 'must be text' },
  isInt: { code: 'not_an_integer', must: () => 'must be a whole number' },
  isBoolean: { code: 'not_a_boolean', must: () => 'must be true or false' },
  isArray: { code: 'not_a_list', must: () => 'must be a list' },
  isInstance: { code: 'not_a_person', must: () => 'must be an e-mail address, or an object with an email' },
  nestedValidation: { code: 'not_a_person', must: () => 'must be an e-mail address, or an object with an email' },
  isCustom: {
    code: 'not_custom_fields',
    must: (most: number) => `must be an object of at most ${most} texts, numbers, booleans or nulls, 8 KiB in all`,
  },
  isIn: { code: 'not_a_choice', must: (values: readonly string[]) => `must be one of ${values.join(', ')}` },
  isEmail: { code: 'not_an_email', must: () => 'must be an e-mail address' },
  isEmailOrId: { code: 'not_an_email_or_id', must: () => 'must be an e-mail address or an id' },
  isAssignee: { code: 'not_an_email_or_id', must: () => 'must be an e-mail address, an id or unassigned' },
  isHostName: { code: 'not_a_host', must: () => 'must be the name or the address of a server' },
  isLine: { code: 'not_a_line', must: () => 'must be text without line breaks' },
  isHttpsAddress: { code: 'not_an_https_address', must: () => 'must be an address that starts with https://' },
  isTime: {
    code: 'not_a_time',
    must: () => 'must be a time that exists, in ISO 8601 or RFC 822, from 1970 on, such as 2026-01-31T12:00:00Z',
  },
  isCursor: { code: 'invalid_cursor', must: () => 'must be a cursor that was given out here' },
  isWebhookAddress: { code: 'url_malformed' },
  isWebhookSecret: { code: 'not_a_secret' },
  isNotEmpty: { code: 'empty', must: () => 'must not be empty' },
  maxLength: { code: 'too_long', must: (most: number) => `must have at most ${counted(most, 'character')}` },
  min: { code: 'too_small', must: (least: number) => `must be at least ${least}` },
  max: { code: 'too_large', must: (most: number) => `must be at most ${most}` },
  arrayNotEmpty: { code: 'empty', must: () => 'must have at least one value' },
  arrayMaxSize: { code: 'too_many', must: (most: number) => `must have at most ${counted(most, 'value')}` },
  arrayUnique: { code: 'repeated', must: () => 'must not have the same value twice' },
};
