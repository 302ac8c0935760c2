# SPDX-License-Identifier: Apache-2.0
# What the files `setup` of the adapters share: sourced, not run. Each function says on stdout what it installs and nothing where nothing is
# missing; it fails with one line on stderr.

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    printf 'neither root nor sudo: cannot run %s\n' "$*" >&2
    return 1
  fi
}

# debian_packages NAME...: installs those that are missing, without what they only recommend.
debian_packages() {
  local name missing=()
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    printf 'no apt here: install the counterparts of %s yourself\n' "$*" >&2
    return 1
  fi
  for name in "$@"; do
    if [[ $(dpkg-query -W -f '${db:Status-Status}' "$name" 2>/dev/null) != installed ]]; then missing+=("$name"); fi
  done
  if [[ ${#missing[@]} == 0 ]]; then return; fi
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
  # The lists of packages may be absent or old, so a first failure asks for new ones.
  if ! as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2; then
    as_root "${apt[@]}" update >&2
    as_root "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2 || {
      printf 'apt-get could not install %s\n' "${missing[*]}" >&2
      return 1
    }
  fi
  printf 'Debian packages %s\n' "${missing[*]}"
}
