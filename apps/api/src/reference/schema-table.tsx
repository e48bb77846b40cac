import type { JsonSchema } from '#libs/payloads';
import type { ComponentChildren } from 'preact';

export interface Field {
  readonly name: string;
  readonly place?: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly description?: string | undefined;
}

export const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    required: required.includes(name),
    description: schema.description,
  }));

/** Requests mark required fields; records mark optional ones. */
type Mark = 'required' | 'optional';

export function FieldTable(props: { caption: string; fields: readonly Field[]; marks?: Mark }) {
  const { caption, fields, marks = 'required' } = props;
  if (fields.length === 0) return null;
  return (
    <table class="fields">
      <caption>{caption}</caption>
      <tbody>
        {fields.map((field) => (
          <FieldRow key={field.name} {...field} mark={field.required === (marks === 'required') ? marks : undefined} />
        ))}
      </tbody>
    </table>
  );
}

function FieldRow({ name, place, schema, description, mark }: Field & { mark: Mark | undefined }) {
  const { enum: choices } = schema.items ?? schema;
  const limits = limitsOf(schema);
  return (
    <tr>
      <th scope="row">
        <code>{name}</code> {mark && <span class={`mark ${mark}`}>{mark}</span>}
        <span class="type">
          <TypeOf schema={schema} />
          {place && `, ${place}`}
        </span>
      </th>
      <td>
        {description && <Prose text={description} />}
        {choices && <span class="more">One of {joined(choices.map(codeOf), ', ')}</span>}
        {schema.default !== undefined && (
          <span class="more">
            Default: <code>{JSON.stringify(schema.default)}</code>
          </span>
        )}
        {limits && <span class="more">{limits}</span>}
      </td>
    </tr>
  );
}

export const codeOf = (value: unknown) => <code>{String(value)}</code>;

export const joined = (parts: readonly ComponentChildren[], between: string): ComponentChildren[] =>
  parts.flatMap((part, index) => (index > 0 ? [between, part] : [part]));

export function TypeOf({ schema }: { schema: JsonSchema }) {
  const { $ref, items, anyOf, oneOf, type, format } = schema;
  const choices = anyOf ?? oneOf;
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1)!;
    return <a href={`/docs/records#${name}`}>{name}</a>;
  }
  if (items)
    return (
      <>
        list of <TypeOf schema={items} />
      </>
    );
  if (choices) {
    const types = choices.map((one) => <TypeOf schema={one} />);
    return <>{joined(types, ' or ')}</>;
  }
  const words = [type ?? 'anything'].flat().join(' or ');
  return <>{format ? `${words} (${format})` : words}</>;
}

const number = (value: number): string => value.toLocaleString('en');

function limitsOf({ minLength, maxLength, minimum, maximum, minItems, maxItems, maxProperties }: JsonSchema): string {
  const limits = [
    maxLength !== undefined && `${minLength ? `${number(minLength)} to` : 'at most'} ${number(maxLength)} characters`,
    minimum !== undefined && `at least ${number(minimum)}`,
    maximum !== undefined && `at most ${number(maximum)}`,
    maxItems !== undefined && `${minItems ? `${number(minItems)} to` : 'at most'} ${number(maxItems)} of them`,
    maxProperties !== undefined && `at most ${number(maxProperties)} fields`,
  ].filter((limit) => limit !== false);
  return limits.join(', ');
}

export const Paragraph = ({ text }: { text: string }) => (
  <p>
    <Prose text={text} />
  </p>
);

/** Text with words in backquotes. */
export function Prose({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
