cask "lightloom" do
  arch arm: "arm64", intel: "x86_64"

  version "@VERSION@"
  sha256 arm:   "@SHA256 Lightloom-@VERSION@-macos-arm64.dmg@",
         intel: "@SHA256 Lightloom-@VERSION@-macos-x86_64.dmg@"

  url "@URL@/Lightloom-#{version}-macos-#{arch}.dmg"
  name "Lightloom"
  desc "GPU filters and neural networks on live video"
  homepage "@SITE@/"

  livecheck do
    url "@SITE@/latest.json"
    strategy :json do |json|
      json["version"]
    end
  end

  depends_on macos: ">= :sonoma"

  app "Lightloom.app"
  binary "#{appdir}/Lightloom.app/Contents/MacOS/lightloom"

  zap trash: [
    "~/Library/Application Support/lightloom",
    "~/Library/Caches/lightloom",
    "~/Library/Logs/lightloom",
  ]
end
