import type { JsonSchema } from '#libs/payloads';
import type { PageContent } from '../ui/page-response.js';
import { ERROR_CODES, FIELD_CODES } from './error-codes.js';
import { ReferenceFrame, type ApiReference } from './reference.js';
import { FieldTable, Prose, TypeOf, fieldsOf } from './schema-table.js';

export function recordsPage(reference: ApiReference): PageContent {
  const schemas = Object.entries<JsonSchema>(reference.document.components.schemas).sort(([one], [other]) =>
    one.localeCompare(other),
  );
  const shown = schemas.filter(([name]) => !name.endsWith('Form'));
  const view = (
    <ReferenceFrame title="records" reference={reference} here="records" contents={shown.map(([name]) => [name, name])}>
      <h1>records</h1>
      <p class="lead">The objects in requests and responses. New fields may be added at any time.</p>
      {shown.map(([name, schema]) => (
        <article key={name} class="operation" aria-labelledby={name}>
          <h2 id={name}>
            <a href={`#${name}`}>{name}</a>
          </h2>
          {schema.description && (
            <p>
              <Prose text={schema.description} />
            </p>
          )}
          {schema.properties ? (
            <FieldTable caption="Fields" fields={fieldsOf(schema)} marks="optional" />
          ) : (
            <p>
              <TypeOf schema={schema} />
            </p>
          )}
        </article>
      ))}
    </ReferenceFrame>
  );
  return { view };
}

/** Every error code, at the address that the `type` of a problem links to. */
export function errorsPage(reference: ApiReference): PageContent {
  const contents = [
    ['of-problems', 'error: what went wrong'],
    ['of-fields', 'code: what is wrong with a field'],
  ] as const;
  const view = (
    <ReferenceFrame title="errors" reference={reference} here="errors" contents={contents}>
      <h1>errors</h1>
      <p class="lead">
        Every error is a <a href="/docs/records#Problem">Problem</a> (RFC 9457). Its <code>type</code> leads here.
        Statuses are listed in the <a href="/docs#errors">overview</a>.
      </p>
      <h2 id="of-problems">
        <code>error</code>: what went wrong
      </h2>
      <Codes codes={Object.entries(ERROR_CODES)} />
      <h2 id="of-fields">
        <code>code</code> in <code>errors</code>: what is wrong with a field
      </h2>
      <Codes codes={Object.entries(FIELD_CODES)} prefix="field-" />
    </ReferenceFrame>
  );
  return { view };
}

export function Codes({ codes, prefix = '' }: { codes: readonly (readonly [string, string])[]; prefix?: string }) {
  return (
    <dl>
      {codes.map(([code, words]) => (
        <div key={code} id={prefix + code}>
          <dt>
            <a href={`#${prefix}${code}`}>
              <code>{code}</code>
            </a>
          </dt>
          <dd>
            <Prose text={words} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
