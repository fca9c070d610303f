import { ProfileError } from '../../targets/profile-content.ts';
import { profileFiles, readProfile } from '../../targets/profile.ts';
import { counted } from '../../reports/figures.ts';
import { notSet, ok, problem, type Finding } from './finding.ts';

/** Examines the files of the profile folder, as far as the suite can judge them without sending any. */
export function examineProfile(folder: string): Finding[] {
  try {
    return judgeProfile(folder, readProfile(folder).missing());
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return [problem('profile', error.message, 'NFE_PROFILE names the folder; profiles/default is an example')];
  }
}

export function judgeProfile(folder: string, missing: readonly (keyof typeof profileFiles)[]): Finding[] {
  const all = Object.keys(profileFiles).length;
  const present = ok(
    'profile',
    `${all - missing.length} of ${counted(all, 'file')} in ${folder}, all of them fit to be read`,
  );
  const absent = missing.map((file) =>
    notSet(
      'profile',
      `${file} is missing`,
      `it would be ${profileFiles[file].use}; what needs it will not be exercised`,
    ),
  );
  return [present, ...absent];
}
