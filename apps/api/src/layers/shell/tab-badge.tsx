import { iconUrl, titleWithBadge } from '../ui/layout.js';
import { usePageContext } from '../ui/page-context.js';

/** Title and icon of the tab, for the script to set when the page is refreshed. */
export function TabBadge() {
  const { badge } = usePageContext().sidebar;
  return <span id="unread" data-title={titleWithBadge('', badge)} data-icon={iconUrl(badge)} hidden />;
}
