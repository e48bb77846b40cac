import { MAX_ATTACHMENTS, MAX_ATTACHMENT_BYTES } from '#libs/entities';

const MIB = 1024 * 1024;

/** The field of the browser, which shows the chosen files and works without a script. */
export function FilesField() {
  return (
    <label class="files small">
      <span>Attach files</span>
      <input
        type="file"
        name="files"
        multiple
        class="slim"
        title={`At most ${MAX_ATTACHMENTS} files of ${MAX_ATTACHMENT_BYTES / MIB} MiB`}
      />
    </label>
  );
}
