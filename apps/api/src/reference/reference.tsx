import type { JsonSchema } from '#libs/payloads';
import { readGuides } from './guides.js';
import type { OpenApi } from './openapi.service.js';
import type { ComponentChildren } from 'preact';
import { HtmlDocument } from '../layers/ui/layout.js';
import { OwnToken } from './own-token.js';

type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly 'x-example-path'?: string;
  readonly 'x-example-status'?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface Answer {
  readonly description: string;
  readonly content?: Content;
}

type Reference = { readonly $ref: string };

/** An operation with its address. An event is a request that Deskwire sends. */
export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly isEvent: boolean;
  readonly operation: Operation;
}

export interface Section {
  readonly name: string;
  readonly description: string;
  readonly entries: readonly Entry[];
}

export interface ApiReference {
  readonly base: string;
  readonly sections: readonly Section[];
  readonly document: OpenApi;
  /** The CSRF token of a reader who is signed in. */
  readonly csrf?: string | undefined;
}

/** The operations of the OpenAPI document by section. */
export function referenceOf(document: OpenApi, csrf?: string): ApiReference {
  const entries = [...entriesOf(document.paths, false), ...entriesOf(document.webhooks, true)];
  const sections = document.tags.map(({ name, description }) => ({
    name,
    description,
    entries: entries.filter(({ operation }) => operation.tags.includes(name)),
  }));
  return { base: document.servers[0]!.url, sections, document, csrf };
}

function entriesOf(paths: object, isEvent: boolean): Entry[] {
  const operations = Object.entries(paths as Readonly<Record<string, Readonly<Record<string, Operation>>>>);
  return operations.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, isEvent, operation })),
  );
}

/** Follows a `$ref` within the document. */
export function resolved<Part extends object>(part: Part | Reference, { document }: ApiReference): Part {
  if (!('$ref' in part)) return part;
  const names = part.$ref.slice('#/'.length).split('/');
  return names.reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document) as Part;
}

/** Whether the address and the words of an operation contain every word of the search. */
export function finds({ method, path, operation }: Entry, wanted: string): boolean {
  const { operationId, summary, description = '' } = operation;
  const text = `${method} ${path} ${operationId} ${summary} ${description}`.toLowerCase();
  return wordsOf(wanted).every((word) => text.includes(word));
}

/** Every word is compared with every section. */
export const MAX_SEARCH_CHARACTERS = 100;

/** Without the ending of a plural, so that `rate limits` finds `rate limit`. */
export const wordsOf = (wanted: string): string[] =>
  wanted
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/(?<=\w{3})s$/, ''));

interface FrameProps {
  /** Also the name of the page in the navigation. */
  readonly title: string;
  readonly reference: ApiReference;
  readonly contents: readonly (readonly [id: string, words: string])[];
  readonly wanted?: string;
  readonly children: ComponentChildren;
}

export function ReferenceFrame({ title, reference, contents, wanted = '', children }: FrameProps) {
  const names = [...reference.sections.map(({ name }) => name), 'records', 'errors'];
  const pages = names.map((name) => ({ path: `/docs/${name}`, title: name }));
  return (
    <HtmlDocument title={title === 'API reference' ? title : `${title} · API reference`} script="reference.js">
      <div class="reference">
        <header class="beside">
          <p class="brand">
            <a href="/docs">Deskwire API</a>
          </p>
          <form action="/docs" role="search">
            <input
              type="search"
              name="q"
              value={wanted}
              aria-label="Search guides and operations"
              placeholder="Search"
              maxLength={MAX_SEARCH_CHARACTERS}
            />
          </form>
          {reference.csrf && <OwnToken csrf={reference.csrf} />}
          <Navigation title="Guides" pages={readGuides(reference.base)} here={title} contents={contents} />
          <Navigation title="Reference" pages={pages} here={title} contents={contents} />
        </header>
        <main>{children}</main>
      </div>
    </HtmlDocument>
  );
}

interface NavigationProps extends Pick<FrameProps, 'title' | 'contents'> {
  readonly pages: readonly { readonly path: string; readonly title: string }[];
  readonly here: string;
}

function Navigation({ title, pages, here, contents }: NavigationProps) {
  return (
    <nav aria-label={title}>
      <strong>{title}</strong>
      <ul>
        {pages.map((page) => (
          <li key={page.path}>
            <a href={page.path} {...(page.title === here && { 'aria-current': 'page' })}>
              {page.title}
            </a>
            {page.title === here && <PageContents contents={contents} />}
          </li>
        ))}
      </ul>
    </nav>
  );
}

function PageContents({ contents }: Pick<FrameProps, 'contents'>) {
  return (
    <ul>
      {contents.map(([id, words]) => (
        <li key={id}>
          <a href={`#${id}`}>{words}</a>
        </li>
      ))}
    </ul>
  );
}
