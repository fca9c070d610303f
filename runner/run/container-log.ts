import { writeContainerLog } from '../../reports/write.ts';
import { fileErrorCode, isFileError } from '../results/file-error.ts';

/** Keeps what a container has written beside the reports; a log that can't be written costs a warning, never the verdict. */
export async function keepContainerLog(folder: string, log: string, warn: (line: string) => void): Promise<void> {
  try {
    await writeContainerLog(folder, log);
  } catch (error) {
    if (!isFileError(error)) throw error;
    warn(
      `warning: container.log can't be written to ${folder} (${fileErrorCode(error)}); the verdict of this run stands\n`,
    );
  }
}
