import { hasTooManyTags, plainText } from '#libs/desk';
import type { Message } from '#libs/entities';
import { sanitizeMessageHtml, hasRemoteImages, looksLikeHtml } from './message-html.js';

/** A longer message is cut. A link leads to the rest. */
const MAX_SHOWN_CHARACTERS = 6000;

interface MessageBodyProps {
  readonly message: Message;
  readonly images: boolean;
  /** The address of this page with remote pictures. */
  readonly imagesHref: string;
  readonly whole?: boolean;
}

export function MessageBody({ message, images, imagesHref, whole = false }: MessageBodyProps) {
  const { body } = message;
  const cut = !whole && body.length > MAX_SHOWN_CHARACTERS;
  const shown = cut ? body.slice(0, MAX_SHOWN_CHARACTERS) : body;
  const tooManyTags = hasTooManyTags(shown);
  const html = looksLikeHtml(body) && !tooManyTags;
  return (
    <>
      {html ? (
        <HtmlBody html={sanitizeMessageHtml(shown, { images })} />
      ) : (
        <TextBody text={tooManyTags ? plainText(shown) : shown} />
      )}
      {tooManyTags && <p class="small">This message has too much markup to be shown as it is. This is its text.</p>}
      {cut && (
        <p class="small">
          <a href={`/messages/${message.id}`}>Show the whole message</a>
        </p>
      )}
      {html && !images && hasRemoteImages(shown) && (
        <p class="small">
          <a href={imagesHref}>Load remote pictures</a>
        </p>
      )}
    </>
  );
}

/** `hx-ignore` keeps htmx from acting on attributes in the markup. */
function HtmlBody({ html }: { html: string }) {
  return <div class="body" hx-ignore="" dangerouslySetInnerHTML={{ __html: html }} />;
}

function TextBody({ text }: { text: string }) {
  return <div class="body text">{linkify(text)}</div>;
}

const URL_PATTERN = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/g;

/** With a group in the pattern, `split` returns the addresses as every second part. */
function linkify(text: string) {
  return text.split(URL_PATTERN).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a href={part} target="_blank" rel="noopener noreferrer" key={index}>
        {part}
      </a>
    ),
  );
}
