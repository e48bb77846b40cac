import { usePageContext } from '../../pages/page-context.js';
import { NoticeBox } from '../../pages/parts/indicators.js';

/** Shows the result of the last action. Screen readers read it out. */
export function Toasts() {
  const { notice } = usePageContext();
  return (
    <div id="toasts" role="status" aria-live="polite">
      {notice && <NoticeBox tone={notice.tone}>{notice.text}</NoticeBox>}
    </div>
  );
}
