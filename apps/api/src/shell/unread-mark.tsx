import { usePageContext } from '../ui/page-context.js';
import { iconUrl, titleWithUnread } from '../ui/unread.js';

/** What the title and the icon say now, for a script to set when the page is kept up to date. */
export function UnreadMark() {
  const { unread } = usePageContext();
  return <span id="unread" data-title={titleWithUnread('', unread)} data-icon={iconUrl(unread)} hidden />;
}
