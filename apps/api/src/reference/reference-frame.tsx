import type { ComponentChildren } from 'preact';
import { HtmlDocument } from '../ui/layout.js';
import type { ApiReference } from './reference.js';

interface FrameProps {
  readonly title: string;
  readonly reference: ApiReference;
  readonly here: string;
  readonly contents: readonly (readonly [id: string, words: string])[];
  readonly wanted?: string;
  readonly children: ComponentChildren;
}

export function ReferenceFrame({ title, reference, here, contents, wanted = '', children }: FrameProps) {
  const names = [...reference.sections.map(({ name }) => name), 'records', 'errors'];
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
              aria-label="Search operations"
              placeholder="Search operations"
              maxLength={100}
            />
          </form>
          <nav aria-label="Contents">
            <ul>
              {names.map((name) => (
                <li key={name}>
                  <a href={`/docs/${name}`} {...(name === here && { 'aria-current': 'page' })}>
                    {name}
                  </a>
                  {name === here && <PageContents contents={contents} />}
                </li>
              ))}
            </ul>
          </nav>
        </header>
        <main>{children}</main>
      </div>
    </HtmlDocument>
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
