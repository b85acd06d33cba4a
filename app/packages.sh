# The list of Debian packages, and their installation. Sourced by app/run and tests/run.

export CMAKE_GENERATOR=Ninja  # for a new build folder; an existing one keeps its generator

build_packages=(
    cmake g++ ninja-build pkg-config
    libcairo2-dev libcli11-dev libegl-dev libeigen3-dev libepoxy-dev libfmt-dev libfontconfig-dev libfreetype-dev libglfw3-dev libglib2.0-dev libharfbuzz-dev libhwy-dev
    libimgui-dev libonig-dev libpng-dev libstb-dev libtbb-dev libutf8proc-dev libzip-dev nlohmann-json3-dev
    fonts-dejavu-core fonts-inter fonts-lmodern libegl1 libgl1 libgl1-mesa-dri
)
test_packages=(
    clang libclang-rt-14-dev libgmock-dev libgtest-dev
    dbus-daemon git libxml2-utils librsvg2-bin poppler-utils python3 python3-gmpy2 python3-mpmath python3-numpy qpdf xauth xdotool xvfb
)
bench_packages=(libbenchmark-dev libopenblas0-openmp python3-torch)  # for tests/bench/run
coverage_packages=(gcovr)                                           # for tests/coverage

# Installs the missing ones of these packages. Prints an error and fails if it cannot.
install_packages() {
    local missing=() package
    for package in "$@"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "These Debian packages are missing and cannot be installed without root or sudo: ${missing[*]}" >&2
            return 1
        fi
        root=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${root[@]}" apt-get -q update >/dev/null || return 1
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "${missing[@]}" >/dev/null || {
        echo "apt-get could not install: ${missing[*]}" >&2
        return 1
    }
}
