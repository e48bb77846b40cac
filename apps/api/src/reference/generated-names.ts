import type { JsonSchema } from '#libs/payloads';

/**
 * Names for openapi-python-client, which otherwise calls the enum of a nullable field `PriorityType1`, and the value
 * `-created_at` `VALUE_0`.
 */
export function withGeneratedNames<Part>(part: Part, name = ''): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => withGeneratedNames(one)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const entries = Object.entries(part).map(([key, value]) => [key, withGeneratedNames<unknown>(value, key)]);
  return { ...(Object.fromEntries(entries) as Part), ...namesOf(part, name) };
}

function namesOf({ type, enum: values, properties, additionalProperties, items, anyOf }: JsonSchema, name: string) {
  const isNullable = Array.isArray(type) && type.includes('null');
  const title = pascal(name);
  return {
    ...(isNullable && (values ?? properties ?? additionalProperties) && { title }),
    ...(isNullable && items?.enum && { items: { ...items, title: `${title}Item` } }),
    ...(anyOf?.[0]?.properties && { anyOf: [{ ...withGeneratedNames(anyOf[0]), title }, ...anyOf.slice(1)] }),
    ...(values?.some((value) => String(value).startsWith('-')) && { 'x-enum-varnames': values.map(variableOf) }),
  };
}

/** `ticket_closed` and `ticketClosed` become `TicketClosed`. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());

const variableOf = (value: unknown): string => String(value).replace(/^-(.*)/, '$1_descending');
