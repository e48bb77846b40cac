import type { Message } from '#libs/entities';
import { sanitizeMessageHtml, hasRemoteImages, looksLikeHtml } from './message-html.js';

/** More than this of one message would make the page heavy; the rest is a click away. */
const MAX_SHOWN_CHARACTERS = 6000;

interface MessageBodyProps {
  readonly message: Message;
  readonly images: boolean;
  /** The address of this page with pictures from elsewhere. */
  readonly imagesHref: string;
  readonly whole?: boolean;
}

export function MessageBody({ message, images, imagesHref, whole = false }: MessageBodyProps) {
  const { body } = message;
  const cut = !whole && body.length > MAX_SHOWN_CHARACTERS;
  const shown = cut ? body.slice(0, MAX_SHOWN_CHARACTERS) : body;
  const html = looksLikeHtml(body);
  return (
    <>
      {html ? <HtmlBody html={sanitizeMessageHtml(shown, { images })} /> : <TextBody text={shown} />}
      {cut && (
        <p class="small">
          <a href={`/messages/${message.id}`}>Show the whole message</a>
        </p>
      )}
      {html && !images && hasRemoteImages(shown) && (
        <p class="small">
          <a href={imagesHref}>Load pictures from elsewhere</a>
        </p>
      )}
    </>
  );
}

/** `hx-ignore`: whatever the markup says, no script of ours ever acts on it. */
function HtmlBody({ html }: { html: string }) {
  return <div class="body" hx-ignore="" dangerouslySetInnerHTML={{ __html: html }} />;
}

function TextBody({ text }: { text: string }) {
  return <div class="body text">{linkify(text)}</div>;
}

const URL_PATTERN = /(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/g;

/** Every second part is an address: that is how `split` answers to a group. */
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
