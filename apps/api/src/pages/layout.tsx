import type { ComponentChildren } from 'preact';
import { ASSETS } from './assets.js';

interface CardProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

interface DocumentProps extends CardProps {
  readonly theme?: 'system' | 'light' | 'dark';
  readonly scripts?: boolean;
}

/** The frame of every page. Styles and scripts come from files of ours only: the policy allows nothing inline. */
export function HtmlDocument({ title, children, theme = 'system', scripts = false }: DocumentProps) {
  return (
    <html lang="en" data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Deskwire`}</title>
        <link rel="stylesheet" href={ASSETS.url('console.css')} />
        <link rel="icon" href={ASSETS.url('icon.svg')} type="image/svg+xml" />
        {scripts && <Scripts />}
      </head>
      <body>{children}</body>
    </html>
  );
}

/** What is open stays open when a part is brought up to date. */
const HTMX_CONFIG = {
  includeIndicatorCSS: false,
  history: 'reload',
  mode: 'same-origin',
  morphIgnore: ['data-htmx-powered', 'open'],
};

function Scripts() {
  return (
    <>
      <meta name="htmx-config" content={JSON.stringify(HTMX_CONFIG)} />
      <script src={ASSETS.url('htmx.js')} defer />
      <script src={ASSETS.url('console.js')} type="module" />
      <script src={ASSETS.url('keyboard.js')} type="module" />
      <script src={ASSETS.url('live.js')} type="module" />
    </>
  );
}

/** One centred card: for pages that ask a single thing of somebody who may not be signed in. */
export function CardLayout({ title, children }: CardProps) {
  return (
    <HtmlDocument title={title}>
      <main class="card-page">
        <p class="brand">Deskwire</p>
        <section class="card" aria-labelledby="card-title">
          <h1 id="card-title">{title}</h1>
          {children}
        </section>
      </main>
    </HtmlDocument>
  );
}

/** Above the fields, and spoken at once. */
export function Alert({ children }: { readonly children?: ComponentChildren }) {
  return children ? (
    <p class="alert" role="alert">
      {children}
    </p>
  ) : null;
}

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'search';
  readonly value?: string;
  readonly autocomplete?: string;
  readonly hint?: string;
  readonly minLength?: number;
  readonly autofocus?: boolean;
}

export function CardField({ label, name, type = 'text', hint, minLength, ...input }: FieldProps) {
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        // Preact types each kind of input apart, and tsc, unlike the linter, keeps to it.
        // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
        type={type as 'text'}
        required
        maxLength={320}
        {...(minLength && { minLength })}
        {...(hint && { 'aria-describedby': `${name}-hint` })}
        {...input}
      />
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** Proof that a form came from a page of ours, in this browser. */
export function CsrfField({ token }: { readonly token: string }) {
  return <input type="hidden" name="csrf" value={token} />;
}
