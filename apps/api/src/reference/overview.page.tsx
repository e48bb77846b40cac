import type { PageContent } from '../ui/page-response.js';
import { Codes } from './records.page.js';
import { ReferenceFrame, type ApiReference, type Section, finds } from './reference.js';
import { PROBLEMS } from './responses.js';
import { Prose } from './schema-table.js';

/** The introduction, the searchable list of all operations, and the errors by status. */
export function overviewPage(reference: ApiReference, wanted: string): PageContent {
  const found = reference.sections
    .map((section) => ({ ...section, entries: section.entries.filter((entry) => finds(entry, wanted)) }))
    .filter(({ entries }) => entries.length > 0);
  const view = (
    <ReferenceFrame title="API reference" reference={reference} here="" contents={[]} wanted={wanted}>
      <h1>API reference</h1>
      {wanted === '' && <Introduction reference={reference} />}
      <section class="operations" aria-labelledby="operations">
        <h2 id="operations">Operations</h2>
        <p data-none hidden={found.length > 0}>
          No operation has all of these words.
        </p>
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
        <p key={paragraph}>
          <Prose text={paragraph} />
        </p>
      ))}
      <p>
        Version {document.info.version}, at <code>{base}</code>. The same for programs:{' '}
        <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
      </p>
    </>
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
        Every error is a <a href="/docs/records#Problem">Problem</a> (RFC 9457), as{' '}
        <code>application/problem+json</code>. Its <code>error</code> is one of <a href="/docs/errors">these</a>.
      </p>
      <Codes
        codes={Object.entries(PROBLEMS).map(([status, { description }]) => [status, description])}
        prefix="error-"
      />
    </section>
  );
}
