import type { PageContent } from '../layers/ui/page-response.js';
import { type GuideLink, readGuides, sectionsWith } from './guides.js';
import { ReferenceFrame, type ApiReference, type Section, finds, wordsOf } from './reference.js';
import { PROBLEMS } from './responses.js';
import { Paragraph, Prose, FieldTable, TypeOf, fieldsOf } from './schema-table.js';
import type { JsonSchema } from '#libs/payloads';
import { ERROR_CODES, FIELD_CODES } from './error-codes.js';

/** The introduction and the guides, the list of all operations, and the errors by status; or what a search finds. */
export function overviewPage(reference: ApiReference, wanted: string): PageContent {
  const guides = readGuides(reference.base);
  const found = reference.sections
    .map((section) => ({ ...section, entries: section.entries.filter((entry) => finds(entry, wanted)) }))
    .filter(({ entries }) => entries.length > 0);
  const view = (
    <ReferenceFrame title="API reference" reference={reference} contents={[]} wanted={wanted}>
      <h1>Guides and API reference</h1>
      {wanted === '' && <Introduction reference={reference} />}
      <Guides guides={wanted === '' ? guides : sectionsWith(wordsOf(wanted), guides)} />
      <section class="operations" aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        {found.length === 0 && <p>No operation matches these words.</p>}
        {found.map((section) => (
          <Operations key={section.name} section={section} />
        ))}
      </section>
      {wanted === '' && <Errors />}
    </ReferenceFrame>
  );
  return { view };
}

function Introduction({ reference: { document, base } }: { readonly reference: ApiReference }) {
  return (
    <>
      {document.info.description.split('\n\n').map((paragraph) => (
        <Paragraph text={paragraph} key={paragraph} />
      ))}
      <p>
        Version {document.info.version}, at <code>{base}</code>. Machine-readable:{' '}
        <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
      </p>
    </>
  );
}

function Guides({ guides }: { readonly guides: readonly GuideLink[] }) {
  return (
    <section class="guides" aria-labelledby="guides">
      <h2 id="guides">Guides</h2>
      {guides.length === 0 && <p>No guide matches these words.</p>}
      <dl>
        {guides.map(({ path, title, summary }) => (
          <div key={path}>
            <dt>
              <a href={path}>{title}</a>
            </dt>
            <dd>{summary}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Operations({ section: { name, description, entries } }: { readonly section: Section }) {
  return (
    <section aria-labelledby={`of-${name}`}>
      <h3 id={`of-${name}`}>
        <a href={`/docs/${name}`}>{name}</a>
      </h3>
      <p>{description}</p>
      <ul>
        {entries.map(({ method, path, isEvent, operation }) => (
          <li key={operation.operationId} id={operation.operationId}>
            <a href={`/docs/${name}#${operation.operationId}`}>
              <span class={`method ${isEvent ? 'event' : method.toLowerCase()}`}>{isEvent ? 'EVENT' : method}</span>
              <code>{path}</code> <span>{operation.summary}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Errors() {
  return (
    <section aria-labelledby="errors">
      <h2 id="errors">Errors</h2>
      <p>
        Every error is a <a href="/docs/records#Problem">Problem</a> (RFC 9457), sent as{' '}
        <code>application/problem+json</code>. Its <code>error</code> is one of <a href="/docs/errors">these</a>.
      </p>
      <Codes
        codes={Object.entries(PROBLEMS).map(([status, { description }]) => [status, description])}
        prefix="error-"
      />
    </section>
  );
}

export function recordsPage(reference: ApiReference): PageContent {
  const schemas = Object.entries<JsonSchema>(reference.document.components.schemas).sort(([one], [other]) =>
    one.localeCompare(other),
  );
  const shown = schemas.filter(([name]) => !name.endsWith('Form'));
  const view = (
    <ReferenceFrame title="records" reference={reference} contents={shown.map(([name]) => [name, name])}>
      <h1>records</h1>
      <p class="lead">The objects in requests and responses. New fields may be added at any time.</p>
      {shown.map(([name, schema]) => (
        <article key={name} class="operation" aria-labelledby={name}>
          <h2 id={name}>
            <a href={`#${name}`}>{name}</a>
          </h2>
          {schema.description && <Paragraph text={schema.description} />}
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
    <ReferenceFrame title="errors" reference={reference} contents={contents}>
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
